import { LEDGER_STATES } from '../../ledger/core/states';
import { explore } from './explore';
import { DEEP_SETTINGS, SETTINGS } from './settings';

const deep = process.env.LEDGER_TEST_MODEL === 'deep';
const settings = deep ? [...SETTINGS, ...DEEP_SETTINGS] : SETTINGS;
/** Worlds per setting, when it is too large to be seen wholly. */
const LIMIT = deep ? 3_000_000 : 300_000;

/**
 * Every order in which workers claim, run the effect, seal, crash, pause, lose answers and come back
 * late, while a person decides rightly or wrongly: the guarantees of design section 2 hold in each.
 */
describe('in every world that the specification allows', () => {
	const states = new Set<string>();

	it.each(settings)('the guarantees hold: $name', (setting) => {
		const { violation, complete, worlds, states: seen } = explore(setting, undefined, LIMIT);
		for (const state of seen) states.add(state);
		expect(violation).toBeNull();
		expect(worlds).toBeGreaterThan(1_000);
		if (!deep) expect(complete).toBe(true);
	}, 3_600_000);

	it('every state and every reason but the deadline was met', () => {
		const met = [...states];
		expect(LEDGER_STATES.filter((state) => !met.some((one) => one.startsWith(state)))).toEqual([]);
		const reasons = [
			'lease_expired', 'unknown', 'unknown_earlier', 'late_success', 'mixed_outcomes', 'contradiction', 'orphan_success',
			'effect_rerun', 'retryable', 'released', 'permanent', 'attempts_exhausted', 'decided',
		];
		expect(reasons.filter((reason) => !met.some((one) => one.endsWith(` ${reason}`)))).toEqual([]);
	});
});
