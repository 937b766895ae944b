import type { IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../../ledger/core/errors';
import { runFailClosed } from '../../../nodes/shared/itemLoop';

const plan = { outputs: 4, failures: 3, guards: true, field: 'idempotency' };

function context(changes: Record<string, unknown> = {}) {
	return {
		getInputData: () => [{ json: { id: 1 } }],
		getNode: () => ({ name: 'Claim', type: 'n8n-nodes-idempotency.idempotencyClaim', onError: 'continueErrorOutput' }),
		continueOnFail: () => true,
		getExecuteData: () => ({ source: { main: [{ previousNode: 'Start' }] } }),
		getWorkflowDataProxy: () => ({ $getPairedItem: () => ({ json: {} }) }),
		...changes,
	} as unknown as IExecuteFunctions;
}

const failing = async () => {
	throw new LedgerError('BUSY', 'It is held');
};

describe('items for the error output', () => {
	it('are bare and linked, so that n8n moves them and merges the input in', async () => {
		const [, , , items] = await runFailClosed(context(), plan, failing);
		expect(items).toEqual([{ json: { error: expect.stringMatching(/^It is held\. \w/) }, pairedItem: { item: 0 } }]);
	});

	it('carry no link that n8n would fail on: its merge throws, and a throw opens output 0', async () => {
		const unreadable = { getWorkflowDataProxy: () => ({ $getPairedItem: () => { throw new Error('no data'); } }) };
		const noSource = { getExecuteData: () => ({ source: { main: [null] } }) };
		for (const changes of [unreadable, noSource]) {
			const [, , , items] = await runFailClosed(context(changes), plan, failing);
			expect(items).toEqual([{ json: { error: expect.any(String) } }]);
		}
	});

	it('an item that the work forgot has failed', async () => {
		const outputs = await runFailClosed(context(), plan, async () => {});
		expect(outputs.map((items) => items.length)).toEqual([0, 0, 0, 1]);
		expect(outputs[3][0].json.error).toContain('lost sight of an item');
	});

	it('what went out before a bug stays, and only the rest fails', async () => {
		const two = { getInputData: () => [{ json: { id: 1 } }, { json: { id: 2 } }] };
		const outputs = await runFailClosed(context(two), plan, async (items) => {
			items.send(0, 0, { status: 'claimed' });
			throw new TypeError('a bug');
		});
		expect(outputs.map((items) => items.length)).toEqual([1, 0, 0, 1]);
	});

	it('an item that n8n itself marked as failed isn’t passed on as such', async () => {
		const marked = { getInputData: () => [{ json: { id: 1 }, error: new Error('of the node before') }] };
		const [items] = await runFailClosed(context(marked), plan, async (outputs) => outputs.send(0, 0, { status: 'claimed' }));
		expect(items).toEqual([{ json: { id: 1, idempotency: { status: 'claimed', lastError: 'of the node before' } }, pairedItem: { item: 0 } }]);
	});
});
