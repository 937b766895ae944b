import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CLAIM, runWorkflow, SEAL, type RunOptions, type WorkflowJson } from '../../support/engine';
import { sealsOf, workflowOf, type LineageCase } from './lineageCase';
import type { Finding } from './stubNodes';

/** The nodes that are run through the cases: new for each, with an empty ledger. */
export interface LineageSubject {
	nodeTypes: RunOptions['nodeTypes'];
	/** decrypted ledger credential of all Claim and Seal nodes; stubs need none */
	ledger?: ICredentialDataDecryptedObject;
	/** what the stub Seals found; absent for the real nodes */
	findings?: Finding[];
}

/** Run every case of a theme. */
export function describeLineage(theme: string, cases: LineageCase[], subject: () => LineageSubject | Promise<LineageSubject>): void {
	describe(theme, () => {
		it.each(cases.map((one) => [one.shows, one] as const))('%s', async (_, one) => {
			const { nodeTypes, ledger, findings } = await subject();
			const workflows = Object.fromEntries(Object.entries(one.workflows ?? {}).map(([id, json]) => [id, withCredential(json)]));
			const options = { ...one, workflow: withCredential(workflowOf(one)), workflows, nodeTypes, credentials: ledger && { ledger } };
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

function withCredential(json: WorkflowJson): WorkflowJson {
	const credentials = { idempotencyLedgerApi: { id: 'ledger', name: 'Ledger' } };
	return { ...json, nodes: json.nodes.map((one) => ([CLAIM, SEAL].includes(one.type) ? { ...one, credentials } : one)) };
}
