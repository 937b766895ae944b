import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { PaymentProvider } from '../demo/PaymentProvider';
import { exampleWorkflow } from '../scripts/n8n/exampleWorkflow.mjs';
import { createLedger, ledgerData, STORES, type CredentialReference } from './support/ledgers';
import { chain, lookup, seal, webhook, workflow } from './support/nodes';
import { Published, type PostAnswer } from './support/Published';
import type { WorkflowJson } from '../test/support/engine/workflowJson';

/** The template waits ten seconds for the payment service; here it loses patience sooner. */
const EFFECT_TIMEOUT_MS = 1_000;
const AT_ONCE = 20;

let serial = 0;
const newOrder = () => ({ orderId: `order-${(serial += 1)}`, amount: 4990, currency: 'EUR' });

/** The template as a user has it after choosing a credential and an address; on a webhook path of its own. */
function example(ledger: CredentialReference, paymentsUrl: string): WorkflowJson {
	const json = exampleWorkflow({ credential: ledger, paymentsUrl }) as WorkflowJson;
	const nodes = json.nodes.map((node) => {
		const { parameters, type } = node;
		if (type === 'n8n-nodes-base.webhook') return { ...node, webhookId: randomUUID(), parameters: { ...parameters, path: randomUUID() } };
		if (type === 'n8n-nodes-base.httpRequest') return { ...node, parameters: { ...parameters, options: { timeout: EFFECT_TIMEOUT_MS } } };
		return node;
	});
	return { ...json, nodes };
}

/** What a person builds for the review queue: look the record up, decide what was found out. */
function resolving(ledger: CredentialReference): WorkflowJson {
	const find = { operation: 'get', claimedOperation: 'charge_customer', businessId: '={{ $json.body.orderId }}' };
	const decide = {
		operation: 'resolve',
		recordKey: '={{ $json.key }}',
		recordToken: '={{ $json.token }}',
		recordRevision: '={{ $json.revision }}',
		decision: 'succeeded',
		decidedBy: 'ada@example.com',
		decisionReason: 'Found in the dashboard of the payment service',
		resolvedExternalId: '={{ $("Webhook").first().json.body.charge }}',
	};
	const nodes = [webhook(), lookup(find, { ledger }), seal(decide, { ledger }, 'Resolve')];
	return workflow(nodes, chain('Webhook', 'Lookup', 'Resolve'));
}

describe.each(STORES)('the example workflow, ledger in %s', (store) => {
	let provider: PaymentProvider;
	let orders: Published;
	let decisions: Published;

	beforeAll(async () => {
		provider = await PaymentProvider.start();
		const ledger = await createLedger(`Example ${store}`, ledgerData(store));
		orders = await Published.create(example(ledger, provider.url), `Example on ${store}`);
		decisions = await Published.create(resolving(ledger), `Resolve on ${store}`);
	});

	afterAll(async () => await provider.stop());

	const told = ({ status, body }: PostAnswer) => ({ status, body });

	it('charges an order once, and replays the stored answer to the second delivery', async () => {
		const order = newOrder();
		const first = await orders.post(order);
		expect(told(first)).toEqual({ status: 201, body: { charge: expect.stringMatching(/^ch_/), orderId: order.orderId, replayed: false } });
		const second = await orders.post(order);
		expect(told(second)).toEqual({ status: 200, body: { charge: first.body.charge, orderId: order.orderId, replayed: true } });
		expect(provider.requests(order.orderId)).toBe(1);
	});

	it(`charges once when ${AT_ONCE} deliveries come at once`, async () => {
		const order = newOrder();
		const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => orders.post(order)));
		const statuses = answers.map(({ status }) => status);
		expect(provider.effects(order.orderId)).toBe(1);
		expect(statuses.filter((status) => status === 201)).toHaveLength(1);
		expect(statuses.filter((status) => ![200, 201, 202].includes(status))).toEqual([]);
		expect((await orders.post(order)).status).toBe(200);
	});

	it('answers 409 to the same order with another amount, and charges nothing', async () => {
		const order = newOrder();
		await orders.post(order);
		const answer = await orders.post({ ...order, amount: 9990 });
		expect(told(answer)).toEqual({ status: 409, body: expect.objectContaining({ reason: 'conflict' }) });
		expect(provider.requests(order.orderId)).toBe(1);
	});

	it('answers 422 to a refused card, and does not ask again', async () => {
		const order = newOrder();
		provider.plan(order.orderId, 'decline');
		expect((await orders.post(order)).status).toBe(422);
		expect((await orders.post(order)).status).toBe(409);
		expect([provider.requests(order.orderId), provider.effects(order.orderId)]).toEqual([1, 0]);
	});

	it('answers 503 with Retry-After while the payment service is down, and charges when it is back', async () => {
		const order = newOrder();
		const { port } = provider;
		await provider.stop();
		const refused = await orders.post(order);
		await provider.listen(port);
		expect(refused.status).toBe(503);
		const seconds = Number(refused.headers.get('retry-after'));
		expect(seconds).toBeGreaterThanOrEqual(1);
		expect(seconds).toBeLessThanOrEqual(6);
		await sleep(seconds * 1000);
		expect((await orders.post(order)).status).toBe(201);
		expect(provider.effects(order.orderId)).toBe(1);
	});

	it.each(['silenceAfterCharge', 'resetAfterCharge', 'failAfterCharge'] as const)(
		'%s: goes to review, is never charged again, and a person settles it',
		async (behaviour) => {
			const order = newOrder();
			provider.plan(order.orderId, behaviour);
			expect(told(await orders.post(order))).toEqual({ status: 409, body: expect.objectContaining({ status: 'review', reason: 'unknown' }) });
			expect(told(await orders.post(order))).toEqual({ status: 409, body: expect.objectContaining({ status: 'review', reason: 'unknown' }) });
			expect(provider.requests(order.orderId)).toBe(1);

			const decided = await decisions.post({ orderId: order.orderId, charge: 'ch_found' });
			expect(decided.body.idempotency).toMatchObject({ outcome: 'resolved', state: 'succeeded', status: 'sealed' });
			expect(told(await orders.post(order))).toEqual({ status: 200, body: { charge: 'ch_found', orderId: order.orderId, replayed: true } });
			expect(provider.requests(order.orderId)).toBe(1);
		},
	);
});
