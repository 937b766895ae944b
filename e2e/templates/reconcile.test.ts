import { randomUUID } from 'node:crypto';

import { createLedger, ledgerData, type CredentialReference } from '../support/ledgers';
import { Published, runManually, type Execution } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let payments: Sink;
let ledger: CredentialReference;
let orders: Published;

beforeAll(async () => {
	payments = await Sink.start();
	// The payment service can be searched by key.
	payments.react(({ method, query }) => {
		if (method !== 'GET') return undefined;
		const found = payments.at('/charges').find(({ key }) => key === query.get('idempotencyKey') && !isForgotten(key));
		return { status: 200, body: found === undefined ? [] : [{ id: `ch_of_${found.key}`, ...found.body }] };
	});
	// A ledger of its own: Reconcile takes all that is in review.
	ledger = await createLedger('Reconcile', { ...ledgerData('embedded'), embeddedFileName: `reconcile-${randomUUID()}.sqlite` });
	orders = await Published.create(readyTemplate('guard-an-http-create.json', { ledger, replace: { 'https://payments.example.com': payments.url } }), 'Charges');
});
afterAll(async () => await payments.stop());

const forgotten = new Set<string>();
const isForgotten = (key: string | undefined) => forgotten.has(key ?? '');
const newOrder = () => ({ orderId: randomUUID(), amount: 4990, currency: 'EUR' });
const charges = (orderId: string) => payments.at('/charges').filter(({ method, body }) => method === 'POST' && body.orderId === orderId);

/** An order whose answer was lost. */
async function lostOrder() {
	const order = newOrder();
	payments.plan('orderId', order.orderId, 'reset');
	expect((await orders.post(order)).status).toBe(409);
	return order;
}

/** The schedule's next turn; records needn't have been still for an hour. */
async function reconcile(olderThanHours = 0): Promise<Execution> {
	const template = readyTemplate('reconcile-with-the-destination.json', {
		ledger,
		replace: { 'https://payments.example.com': payments.url, 'https://chat.example.com': payments.url },
		change: (node) => {
			if (node.name !== 'In Review') return node;
			return { ...node, parameters: { ...node.parameters, filters: { ...(node.parameters.filters as object), olderThanHours } } };
		},
	});
	return await runManually(template, 'Reconcile');
}

it('finds the charge at the destination, and the next delivery gets it replayed', async () => {
	const order = await lostOrder();
	const execution = await reconcile();
	expect(execution.status).toBe('success');
	expect(execution.json('Settled')).toHaveLength(1);
	const charge = `ch_of_charge_customer:${order.orderId}`;
	expect(await orders.post(order)).toMatchObject({ status: 200, body: { charge, orderId: order.orderId, replayed: true } });
	expect(charges(order.orderId)).toHaveLength(1);
});

it('finds nothing there: the next delivery is charged, nothing is sent from here', async () => {
	const order = await lostOrder();
	forgotten.add(`charge_customer:${order.orderId}`);
	const execution = await reconcile();
	expect(execution.json('May Be Sent Again')).toHaveLength(1);
	expect(charges(order.orderId)).toHaveLength(1);
	expect((await orders.post(order)).status).toBe(201);
	expect(charges(order.orderId)).toHaveLength(2);
});

it('asks a person when the destination gives no answer, and decides several records apart', async () => {
	const [found, missing, unclear] = [await lostOrder(), await lostOrder(), await lostOrder()];
	forgotten.add(`charge_customer:${missing.orderId}`);
	payments.react(({ method, query }) =>
		method === 'GET' && query.get('idempotencyKey') === `charge_customer:${unclear.orderId}` ? { status: 503, body: { message: 'Down' } } : undefined,
	);
	const execution = await reconcile();
	const keys = (node: string) => execution.json(node).map(({ idempotency }) => (idempotency as { key: string }).key);
	expect(keys('Settled')).toEqual([`charge_customer:${found.orderId}`]);
	expect(keys('May Be Sent Again')).toEqual([`charge_customer:${missing.orderId}`]);
	const alerts = payments.at('/hooks/operations').map(({ body }) => body.text);
	expect(alerts).toEqual([expect.stringContaining(unclear.orderId)]);
	expect((await orders.post(unclear)).status).toBe(409);
});

it('leaves what has changed within the hour alone', async () => {
	await lostOrder();
	const execution = await reconcile(1);
	expect(execution.json('In Review')).toEqual([]);
});
