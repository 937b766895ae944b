import type { IDataObject } from 'n8n-workflow';

import { embeddedLedger, recordOf } from '../claim/claimRun';
import { chain, node, runWorkflow, workflow } from '../../support/engine';
import { claimNode, guardedRun, nodeTypes, sealNode } from '../seal/guardedRun';

/** What a sender may post, or an earlier HTTP Request left: it is in the item when it is claimed. */
const posted = (statusCode: number) => ({ id: 'a', statusCode, headers: { 'retry-after': '1' }, body: {}, error: { code: 'ECONNREFUSED' } });

describe('Seal: a response that was in the item when it was claimed', () => {
	const seal = async (item: IDataObject, effect: (json: IDataObject) => IDataObject) => {
		const ledger = embeddedLedger();
		await guardedRun({ ledger, items: [item], effect: ({ json }) => effect(json) });
		return await recordOf(ledger, 'charge:a');
	};

	it.each([429, 404, 500])('%i: an effect that passes its input on has succeeded', async (status) => {
		expect(await seal(posted(status), (json) => ({ ...json, chargeId: 'ch_a' }))).toMatchObject({ state: 'succeeded', externalId: 'ch_a' });
	});

	it('without the claim in the item nobody can tell whose response it is: Review, never a retry', async () => {
		expect(await seal(posted(429), (json) => ({ statusCode: json.statusCode, headers: json.headers, body: json.body }))).toMatchObject({ state: 'needs_review', reason: 'unknown' });
	});

	it('the effect’s own response is read, beside the claim too', async () => {
		expect(await seal(posted(200), (json) => ({ ...json, statusCode: 422 }))).toMatchObject({ state: 'permanent_failed' });
		expect(await seal(posted(404), () => ({ statusCode: 429, headers: {}, body: {} }))).toMatchObject({ state: 'retryable_failed' });
	});

	it('a success of the effect that looks like the response before it is one', async () => {
		const response = { statusCode: 200, headers: { date: 'Mon, 01 Jan 2024 00:00:00 GMT' }, body: { ok: true } };
		expect(await seal({ id: 'a', ...response }, () => response)).toMatchObject({ state: 'succeeded' });
	});

	it('an error of the effect is read', async () => {
		expect(await seal(posted(200), (json) => ({ ...json, error: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' } }))).toMatchObject({ state: 'retryable_failed' });
	});

	it('in a sub-workflow that the claimed item was handed to', async () => {
		const ledger = embeddedLedger();
		const sub = workflow([node('Called', 'test.executeWorkflowTrigger'), node('Effect', 'test.effect'), sealNode()], chain('Called', 'Effect', 'Seal'));
		await runWorkflow({
			workflow: workflow(
				[node('Start', 'test.trigger', { items: [posted(429)] as never }), claimNode(), node('Call', 'test.executeWorkflow', { workflowId: 'sub' })],
				chain('Start', 'Claim', 'Call'),
			),
			workflows: { sub },
			effects: { Effect: ({ json }) => json },
			nodeTypes,
			credentials: { ledger },
		});
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'succeeded' });
	});
});
