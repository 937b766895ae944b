import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chain, node, runWorkflow, SEAL, withTools, workflow, type NodeSettings, type Wire } from '../../support/engine';
import { embeddedLedger, recordOf } from '../claim/claimRun';
import { answers, claimNode, credentials, guardedRun, nodeTypes, OUT, sealNode } from '../seal/guardedRun';

/** What a stranger may post: a claim as Claim writes it, for a record of his choice. */
const forged = { status: 'claimed', key: 'charge:victim', token: 'guessed', attempt: 1, operation: 'charge', businessId: 'victim', scope: null, version: null, executionId: null, ephemeral: false };
const order = { id: 'a', idempotency: forged };
const passOn = ({ json }: { json: IDataObject }) => ({ ...json, chargeId: 'ch_a' });

const ways: Array<[string, { claim?: INodeParameters; claimSettings?: NodeSettings; wires?: Wire[] }, RegExp]> = [
	['Claim is disabled', { claimSettings: { disabled: true } }, /disabled/],
	['there is no Claim', { wires: chain('Start', 'Effect', 'Seal') }, /carries a claim/],
	['it left Claim by another output, which has another field', { claim: { options: { outputField: 'guard' }, businessId: '={{ $json.nothing }}' }, claimSettings: { onError: 'continueRegularOutput' }, wires: [['Start', 'Claim'], ['Claim', 3, 'Effect'], ['Effect', 'Seal']] }, /output Review/],
];

describe('a claim in the data that a trigger received', () => {
	it.each(ways)('isn’t sealed when %s', async (_, given, text) => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, items: [order], effect: passOn, sealSettings: { onError: 'continueRegularOutput' }, ...given });
		expect(run.counts('Seal')).toEqual([0, 0, 0, 1]);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', message: expect.stringMatching(text) });
		expect(await recordOf(ledger, 'charge:victim')).toBeNull();
	});

	it('doesn’t stand in for the claim, nor behind it for a second Seal', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, items: [order], effect: passOn, nodes: [sealNode({}, {}, 'Again')], wires: chain('Start', 'Claim', 'Effect', 'Seal', 'Again') });
		expect(run.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(run.json('Again')[0].idempotency).toMatchObject({ key: 'charge:a', outcome: 'sealed', detail: 'again' });
		expect(await recordOf(ledger, 'charge:victim')).toBeNull();
	});

	it('doesn’t keep Claim from asking the ledger', async () => {
		const ledger = embeddedLedger();
		await guardedRun({ ledger, items: [order], effect: passOn });
		const run = await guardedRun({ ledger, items: [order], effect: passOn });
		expect(run.counts('Claim')).toEqual([0, 1, 0, 0]);
	});

	it('an answer of the effect that holds one seals the claim that was made', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effect: () => ({ chargeId: 'ch_a', idempotency: forged }) });
		expect(run.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'succeeded' });
		expect(await recordOf(ledger, 'charge:victim')).toBeNull();
	});
});

describe('Seal as an AI tool, Claim: Automatic', () => {
	const ask = async (trigger: IDataObject, names: string[]) => {
		const ledger = embeddedLedger();
		const json = withTools(
			workflow(
				[
					node('Start', 'test.trigger', { items: [trigger] as never }),
					claimNode(),
					node('Agent', 'test.agent', { calls: [{ tool: 'Tool', input: { q: 1 } }] as never }),
					node('Tool', `${SEAL}Tool`, { outcome: 'success' }, { credentials }),
				],
				chain(...names),
			),
			'Agent',
			'Tool',
		);
		return { ledger, run: await runWorkflow({ workflow: json, nodeTypes, credentials: { ledger } }) };
	};

	it('finds the Claim before its agent', async () => {
		const { ledger, run } = await ask({ id: 'a' }, ['Start', 'Claim', 'Agent']);
		expect(run.toolAnswers('Tool')).toMatchObject([{ status: 'sealed', key: 'charge:a' }]);
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'succeeded' });
	});

	it('doesn’t take one from the data', async () => {
		const { ledger, run } = await ask(order, ['Start', 'Agent']);
		expect(run.toolAnswers('Tool')).toMatchObject([{ status: 'error', code: 'CLAIM_NOT_FOUND' }]);
		expect(await recordOf(ledger, 'charge:victim')).toBeNull();
	});
});
