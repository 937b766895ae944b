import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { n8n } from '../support/instance';
import { createLedger, ledgerData } from '../support/ledgers';
import { Published, readExecution, type Execution } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let sink: Sink;
let orders: Published;

beforeAll(async () => {
	sink = await Sink.start();
	const ledger = await createLedger('Retry with wait', ledgerData('embedded'));
	const template = readyTemplate('retry-with-wait.json', {
		ledger,
		replace: { 'https://carrier.example.com': sink.url, 'https://chat.example.com': sink.url },
		change: (node) => {
			if (node.name !== 'Record Outcome') return node;
			return { ...node, parameters: { ...node.parameters, retry: { baseDelaySeconds: 2, delayCapSeconds: 2, deadlineHours: 24 } } };
		},
	});
	orders = await Published.create(template, 'Retry with wait');
});
afterAll(async () => await sink.stop());

const shipments = (orderId: string) => sink.at('/shipments').filter(({ body }) => body.orderId === orderId);
const alerts = (orderId: string) => sink.at('/hooks/operations').filter(({ body }) => String(body.text).includes(orderId));

const REFUSES = { status: 429, body: { message: 'Slow down' } };

/** The answer comes after the claim, so the execution goes on behind it. */
async function deliver(orderId: string): Promise<Execution> {
	const { execution } = await orders.run({ orderId, address: 'Main Street 1' });
	return execution;
}

/** Until the first try is sealed, seen by delivering it again. */
async function untilPutOff(orderId: string): Promise<void> {
	const isPutOff = async () => (await orders.post({ orderId, address: 'Main Street 1' })).body.retryAt !== null;
	await n8n().until('the first try to be put off', isPutOff);
}

it('ships through the wait, when the carrier refuses connections at first', async () => {
	const orderId = randomUUID();
	const { port } = sink;
	await sink.stop();
	const before = (await n8n().listExecutions(orders.id)).length;
	expect(await orders.post({ orderId, address: 'Main Street 1' })).toMatchObject({ status: 202, body: { status: 'accepted' } });
	// Long enough for the first try, too short for four. Delivering it again to see would be a try itself.
	await sleep(1_200);
	await sink.listen(port);
	const [{ id }] = await n8n().waitForExecutions(orders.id, before + 1);
	const execution = await readExecution(id);
	expect([execution.status, execution.ran('Wait'), execution.ran('Shipment Created')]).toEqual(['success', true, true]);
	expect(shipments(orderId)).toHaveLength(1);
	expect(await orders.post({ orderId, address: 'Main Street 1' })).toMatchObject({ status: 200, body: { status: 'shipped before' } });
	expect(shipments(orderId)).toHaveLength(1);
});

it('goes round several times, and waits for Retry-After', async () => {
	const orderId = randomUUID();
	sink.plan('orderId', orderId, REFUSES, { ...REFUSES, headers: { 'retry-after': '3' } });
	const began = Date.now();
	const execution = await deliver(orderId);
	expect(execution.status).toBe('success');
	expect(Date.now() - began).toBeGreaterThanOrEqual(3_000);
	expect(execution.json('Shipment Created')).toHaveLength(1);
	expect(shipments(orderId)).toHaveLength(3);
});

it('a delivery that comes while the loop waits is in progress, and does nothing', async () => {
	const orderId = randomUUID();
	sink.plan('orderId', orderId, { ...REFUSES, headers: { 'retry-after': '4' } });
	const before = (await n8n().listExecutions(orders.id)).length;
	await orders.post({ orderId, address: 'Main Street 1' });
	await n8n().until('the first try', async () => shipments(orderId).length === 1);
	await untilPutOff(orderId);
	expect(shipments(orderId)).toHaveLength(1);
	await n8n().waitForExecutions(orders.id, before + 2);
	await n8n().until('the second try', async () => shipments(orderId).length === 2);
});

it('after the last attempt it is reported, and not tried again', async () => {
	const orderId = randomUUID();
	sink.plan('orderId', orderId, REFUSES, REFUSES, REFUSES, REFUSES, REFUSES);
	const execution = await deliver(orderId);
	expect(execution.ran('Report Failure')).toBe(true);
	expect([shipments(orderId).length, alerts(orderId).length]).toEqual([4, 1]);
	expect(alerts(orderId)[0].body.text).toMatch(/attempts_exhausted/);
	expect((await orders.post({ orderId, address: 'Main Street 1' })).status).toBe(409);
});

it('a lost answer leaves the loop for a person', async () => {
	const orderId = randomUUID();
	sink.plan('orderId', orderId, REFUSES, 'reset');
	const execution = await deliver(orderId);
	expect(execution.ran('Ask a Person')).toBe(true);
	expect([shipments(orderId).length, alerts(orderId).length]).toEqual([2, 1]);
});

it('a wait above 65 seconds, which n8n keeps in its database, finds its way back to the claim', async () => {
	const orderId = randomUUID();
	sink.plan('orderId', orderId, { ...REFUSES, headers: { 'retry-after': '67' } });
	const before = (await n8n().listExecutions(orders.id)).length;
	await orders.post({ orderId, address: 'Main Street 1' });
	const waits = async () => (await n8n().listExecutions(orders.id)).some(({ status }) => status === 'waiting');
	await n8n().until('the execution to be put away', waits);
	await n8n().until('the shipment', async () => shipments(orderId).length === 2, 100_000);
	await n8n().until('its end', async () => !(await waits()));
	const [{ id }] = await n8n().waitForExecutions(orders.id, before + 1);
	const execution = await readExecution(id);
	expect([execution.status, execution.json('Shipment Created').length]).toEqual(['success', 1]);
}, 150_000);
