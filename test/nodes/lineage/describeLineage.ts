import { runWorkflow, type RunOptions } from '../../support/engine';
import { sealsOf, workflowOf, type LineageCase } from './lineageCase';
import type { Finding } from './stubNodes';

/** The nodes that are run through the cases: new for each, with an empty ledger. */
export interface LineageSubject {
	nodeTypes: RunOptions['nodeTypes'];
	credentials?: RunOptions['credentials'];
	/** what the stub Seals found; absent for the real nodes */
	findings?: Finding[];
}

/** Run every case of a theme. */
export function describeLineage(theme: string, cases: LineageCase[], subject: () => LineageSubject | Promise<LineageSubject>): void {
	describe(theme, () => {
		it.each(cases.map((one) => [one.shows, one] as const))('%s', async (_, one) => {
			const { nodeTypes, credentials, findings } = await subject();
			const options = { ...one, workflow: workflowOf(one), nodeTypes, credentials };
			const first = await runWorkflow(options);
			const run = one.retryWith === undefined ? first : await runWorkflow({ ...options, effects: one.retryWith, retryOf: first });
			expect(run.error).toBeUndefined();
			const names = Object.keys(one.seals);
			expect(sealsOf(run, names)).toEqual(one.seals);
			if (one.text) {
				const out = names.flatMap((name) => [run, ...run.subRuns].flatMap((each) => [0, 1, 2, 3].flatMap((output) => each.json(name, output))));
				expect(JSON.stringify(out)).toMatch(one.text);
			}
			if (findings !== undefined) one.findings?.(findings);
		});
	});
}
