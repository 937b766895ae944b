import type { IDataObject } from 'n8n-workflow';

import { PaymentProvider } from '../demo/PaymentProvider';
import { n8n } from './support/instance';
import { createLedger, ledgerData, type CredentialReference } from './support/ledgers';
import { chain, charge, claim, end, lookup, node, seal, webhook, workflow } from './support/nodes';
import { Published, type Execution } from './support/Published';

/** What people switch on in a node's Settings tab, and n8n's Retry button. */

const CLAIMED = 0;
const SEALED = 0;
const REVIEW = 3;
const ERROR = 4;

let provider: PaymentProvider;
let ledger: CredentialReference;
let records: Published;
let serial = 0;
const newOrder = () => ({ orderId: `settings-${(serial += 1)}` });

beforeAll(async () => {
	provider = await PaymentProvider.start();
	ledger = await createLedger('Settings', ledgerData('postgres'));
	const find = lookup({ operation: 'get', claimedOperation: 'charge', businessId: '={{ $json.body.orderId }}' }, { ledger });
	records = await Published.create(workflow([webhook(), find], chain('Webhook', 'Lookup')), 'Look up');
});
afterAll(async () => await provider.stop());

const recordOf = async (orderId: string): Promise<IDataObject> => (await records.post({ orderId })).body;
const idempotency = (execution: Execution, name: string, output: number) => execution.json(name, output)[0]?.idempotency as IDataObject;

/** Webhook → Claim → Charge → Seal, all outputs of Claim and Seal ending somewhere. */
function guarded(nodes: { claim?: object; charge?: object; seal?: object }) {
	return workflow(
		[
			webhook('onReceived'),
			claim({}, { ledger, ...nodes.claim }),
			charge(provider.url, { onError: 'continueRegularOutput', ...nodes.charge }),
			seal({ externalId: '={{ $json.id }}' }, { ledger, ...nodes.seal }),
			...['Sealed', 'Other'].map(end),
		],
		[
			...chain('Webhook', 'Claim', 'Charge', 'Seal', 'Sealed'),
			...[1, 2, REVIEW, ERROR].flatMap((output): Array<[string, number, string]> => [
				['Claim', output, 'Other'],
				['Seal', output, 'Other'],
			]),
		],
	);
}

describe('Always Output Data', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'])('on Claim (On Error = %s) is refused, and nothing is claimed', async (onError) => {
		const order = newOrder();
		const published = await Published.create(guarded({ claim: { alwaysOutputData: true, onError } }), `Always Output Data on Claim, ${onError}`);
		const { execution } = await published.run(order);
		expect(execution.items('Claim', CLAIMED)).toEqual([]);
		expect(execution.ran('Charge')).toBe(false);
		expect(provider.requests(order.orderId)).toBe(0);
		const text = JSON.stringify([execution.error?.message, execution.json('Claim', REVIEW), execution.json('Claim', ERROR)]);
		expect(text).toMatch(/Always Output Data is switched on/);
		expect(await recordOf(order.orderId)).toMatchObject({ found: false });
	});

	it.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'])('on Seal (On Error = %s) is refused, and nothing comes out as sealed', async (onError) => {
		const order = newOrder();
		const published = await Published.create(guarded({ seal: { alwaysOutputData: true, onError } }), `Always Output Data on Seal, ${onError}`);
		const { execution } = await published.run(order);
		expect(execution.items('Seal', SEALED)).toEqual([]);
		expect(execution.ran('Sealed')).toBe(false);
		const text = JSON.stringify([execution.error?.message, execution.json('Seal', REVIEW), execution.json('Seal', ERROR)]);
		expect(text).toMatch(/Always Output Data is switched on/);
		expect(await recordOf(order.orderId)).toMatchObject({ state: 'processing' });
	});
});

describe('a disabled Claim', () => {
	it('is no guard, and Seal says that nothing was claimed', async () => {
		const order = newOrder();
		const published = await Published.create(guarded({ claim: { disabled: true }, seal: { onError: 'continueRegularOutput' } }), 'Disabled Claim');
		const { execution } = await published.run(order);
		expect(provider.effects(order.orderId)).toBe(1);
		expect(execution.items('Seal', SEALED)).toEqual([]);
		expect(idempotency(execution, 'Seal', REVIEW)).toMatchObject({ status: 'error', message: expect.stringMatching(/claim/i), advice: expect.stringMatching(/disabled|Claim/) });
		expect(await recordOf(order.orderId)).toMatchObject({ found: false });
	});
});

describe('the Retry button on an execution that failed at the effect', () => {
	it('starts at the effect, after Claim; the success it gets is sealed, and later deliveries get it', async () => {
		const order = newOrder();
		provider.plan(order.orderId, 'decline');
		const published = await Published.create(guarded({ charge: { onError: 'stopWorkflow' } }), 'Retried: success');
		const failed = (await published.run(order)).execution;
		expect([failed.status, failed.ran('Seal'), provider.effects(order.orderId)]).toEqual(['error', false, 0]);
		const retried = await published.retry(failed.id);
		expect(retried.status).toBe('success');
		expect(idempotency(retried, 'Seal', SEALED)).toMatchObject({ status: 'sealed', state: 'succeeded' });
		expect(provider.effects(order.orderId)).toBe(1);
		expect((await published.run(order)).execution.counts('Claim').slice(0, 2)).toEqual([0, 1]);
		expect(provider.requests(order.orderId)).toBe(2);
	});

	it('a failure of the repeated call says nothing of the first one: review, and nobody tries again', async () => {
		const order = newOrder();
		provider.plan(order.orderId, 'silenceAfterCharge', 'decline');
		const published = await Published.create(guarded({ charge: { onError: 'stopWorkflow' } }), 'Retried: failure');
		const failed = (await published.run(order)).execution;
		expect([failed.status, provider.effects(order.orderId)]).toEqual(['error', 1]);
		// The user hears that errors belong into Seal, corrects the workflow, and retries with it.
		const corrected = (await n8n().getWorkflow(published.id)).nodes.map((one) => (one.name === 'Charge' ? { ...one, onError: 'continueRegularOutput' } : one));
		await n8n().updateWorkflow(published.id, { nodes: corrected });
		const retried = await published.retry(failed.id, { loadWorkflow: true });
		expect(idempotency(retried, 'Seal', REVIEW)).toMatchObject({ status: 'review', state: 'needs_review', reason: 'effect_rerun' });
		await published.run(order);
		expect(await recordOf(order.orderId)).toMatchObject({ state: 'needs_review', reason: 'effect_rerun' });
		expect([provider.requests(order.orderId), provider.effects(order.orderId)]).toEqual([2, 1]);
	});
});

describe('Retry On Fail on Claim', () => {
	it('with an error field in the incoming data: claimed once, not run again', async () => {
		const order = newOrder();
		const waitBetweenTries = 3_000;
		const upstream = node('Upstream', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: '={{ { body: $json.body, error: "from upstream" } }}' }, { typeVersion: 3.4 });
		const nodes = [webhook('onReceived'), upstream, claim({}, { ledger, retryOnFail: true, maxTries: 3, waitBetweenTries }), charge(provider.url)];
		const published = await Published.create(workflow(nodes, chain('Webhook', 'Upstream', 'Claim', 'Charge')), 'Retry On Fail on Claim');
		const { execution } = await published.run(order);
		expect(execution.status).toBe('success');
		expect(execution.json('Upstream')).toEqual([{ body: order, error: 'from upstream' }]);
		expect(execution.json('Claim', CLAIMED)).toEqual([
			{ body: order, idempotency: expect.objectContaining({ status: 'claimed', claimedBy: 'first', lastError: 'from upstream' }) },
		]);
		expect(execution.duration('Claim')).toBeLessThan(waitBetweenTries);
		expect(await recordOf(order.orderId)).toMatchObject({ revision: 1, attempt: 1 });
		expect(provider.effects(order.orderId)).toBe(1);
	});
});
