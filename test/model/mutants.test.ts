import { explore } from './explore';
import { MUTANTS } from './mutants';
import { SETTINGS } from './settings';
import type { Rules } from './world';

/** Worlds per setting and round: most mutants die within a few steps of some setting, so all are tried shortly first. */
const ROUNDS = [1_000, 8_000, 60_000];

function brokenBy(rules: Rules): string | null {
	for (const limit of ROUNDS) {
		for (const setting of SETTINGS) {
			const { violation } = explore(setting, rules, limit);
			if (violation) return violation.guarantee;
		}
	}
	return null;
}

/** Each rule is there for a reason: without it some order of events breaks a guarantee. */
describe('a guarantee breaks without the rule that', () => {
	it.each(MUTANTS.map(({ rule, rules }) => [rule, rules] as const))('%s', (_rule, rules) => {
		expect(brokenBy(rules)).not.toBeNull();
	}, 120_000);
});
