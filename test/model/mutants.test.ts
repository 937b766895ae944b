import { explore } from './explore';
import { MUTANTS } from './mutants';
import { SETTINGS } from './settings';

/** The small worlds first: most mutants die within a few steps. */
const WORLDS_LIMIT = 60_000;

/** Each rule is there for a reason: without it some order of events breaks a guarantee. */
describe('a guarantee breaks without the rule that', () => {
	it.each(MUTANTS.map(({ rule, rules }) => [rule, rules] as const))('%s', (_rule, rules) => {
		let broken: string | undefined;
		for (const setting of SETTINGS) {
			broken = explore(setting, rules, WORLDS_LIMIT).violation?.guarantee;
			if (broken !== undefined) break;
		}
		expect(broken).toBeDefined();
	}, 120_000);
});
