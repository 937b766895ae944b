import { randomUUID } from 'node:crypto';

import { n8n } from '../support/instance';
import { createLedger, ledgerData } from '../support/ledgers';
import { Published, readExecution } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let sink: Sink;
let events: Published;

beforeAll(async () => {
	sink = await Sink.start();
	const ledger = await createLedger('Payment webhook', ledgerData('embedded'));
	const book = readyTemplate('payment-webhook-2-book.json', { ledger, replace: { 'https://accounting.example.com': sink.url } });
	const { id } = await n8n().createWorkflow(book);
	await n8n().publishWorkflow(id);
	const receive = readyTemplate('payment-webhook-1-receive.json', { ledger, replace: { paymentWebhook2Book: id } });
	events = await Published.create(receive, 'Payment webhook');
});
afterAll(async () => await sink.stop());

const bookings = (paymentId: string) => sink.at('/payments').filter(({ body }) => body.paymentId === paymentId);

function paymentEvent(type = 'payment.succeeded') {
	const paymentId = `pay_${randomUUID()}`;
	return { id: `evt_${randomUUID()}`, type, data: { paymentId, invoice: 'INV-1001', amount: 4990, currency: 'EUR' } };
}

it('acknowledges, books, and gives the same booking to another event about the payment', async () => {
	const event = paymentEvent();
	const first = await events.run(event);
	expect(first.answer.status).toBe(200);
	expect(first.execution.json('Book Payment')).toEqual([{ status: 'booked', paymentId: event.data.paymentId, booking: expect.stringMatching(/^id_/) }]);
	const second = await events.run({ ...event, id: 'evt_other' });
	expect(second.execution.json('Book Payment')[0]).toMatchObject({ status: 'booked before', booking: first.execution.json('Book Payment')[0].booking });
	expect(bookings(event.data.paymentId)).toHaveLength(1);
	expect(bookings(event.data.paymentId)[0]).toMatchObject({ key: `book_payment:${event.data.paymentId}`, body: { amount: 4990 } });
});

it('lets other events pass', async () => {
	const { execution } = await events.run(paymentEvent('payment.created'));
	expect([execution.ran('Not Our Concern'), execution.ran('Book Payment')]).toEqual([true, false]);
});

it('the Retry button of a failed run, pressed twice at once, books once', async () => {
	const event = paymentEvent();
	sink.plan('paymentId', event.data.paymentId, { status: 429, body: { error: 'Too many requests.' } });
	const { execution } = await events.run(event);
	expect(execution.status).toBe('error');
	expect(execution.nodeError('Book Payment')).toMatchObject({ message: expect.stringMatching(/press Retry/) });

	const before = (await n8n().listExecutions(events.id)).length;
	await Promise.all([n8n().retryExecution(execution.id), n8n().retryExecution(execution.id)]);
	const ended = await n8n().waitForExecutions(events.id, before + 2);
	const retried = await Promise.all(ended.slice(0, 2).map(async ({ id }) => await readExecution(id)));
	expect(retried.map(({ status }) => status)).toEqual(['success', 'success']);
	const results = retried.map((one) => one.json('Book Payment')[0].status).sort();
	expect(results).toEqual(['booked', 'booked before']);
	// The first one was refused, one of the other two was let through.
	expect(bookings(event.data.paymentId)).toHaveLength(2);
});

it('a lost answer fails the run, and no Retry asks the accounting again', async () => {
	const event = paymentEvent();
	sink.plan('paymentId', event.data.paymentId, 'reset');
	const { execution } = await events.run(event);
	expect(execution.nodeError('Book Payment')).toMatchObject({ message: expect.stringMatching(/needs a person/) });
	const retried = await events.retry(execution.id);
	expect(retried.status).toBe('error');
	expect(bookings(event.data.paymentId)).toHaveLength(1);
});
