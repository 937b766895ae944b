import { randomUUID } from 'node:crypto';

import { n8n } from '../support/instance';
import { createLedger, ledgerData } from '../support/ledgers';
import { MailServer } from '../support/MailServer';
import { Published } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let mail: MailServer;
let chat: Sink;
let orders: Published;

beforeAll(async () => {
	mail = await MailServer.start();
	chat = await Sink.start();
	const ledger = await createLedger('E-mail', ledgerData('embedded'));
	const smtp = await n8n().createCredential({
		name: 'Pretend mail server',
		type: 'smtp',
		data: { host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true, user: '', password: '' },
	});
	const template = readyTemplate('send-an-email.json', {
		ledger,
		replace: { 'https://chat.example.com': chat.url },
		change: (node) => {
			if (node.type === 'n8n-nodes-base.emailSend') return { ...node, credentials: { smtp: { id: smtp.id, name: smtp.name } } };
			// A wait of no time comes too early: Claim sits out what is left.
			if (node.name === 'Record Outcome') return { ...node, parameters: { ...node.parameters, retry: { baseDelaySeconds: 1 } } };
			return node;
		},
	});
	orders = await Published.create(template, 'E-mail');
});
afterAll(async () => {
	await mail.stop();
	await chat.stop();
});

const order = () => {
	const orderId = randomUUID();
	return { orderId, email: `${orderId}@example.com` };
};

it('sends one mail for two deliveries of an order', async () => {
	const sent = order();
	const { answer, execution } = await orders.run(sent);
	expect(answer).toMatchObject({ status: 202, body: { status: 'accepted', key: `send_order_confirmation:${sent.orderId}` } });
	expect(execution.ran('Mail Is Out')).toBe(true);
	expect(await orders.post(sent)).toMatchObject({ status: 200, body: { status: 'sent before', messageId: expect.stringMatching(/^<.+>$/) } });
	expect(mail.taken(sent.email)).toBe(1);
});

it('asks a person when the server took the mail and lost the connection, and never sends it again', async () => {
	const sent = order();
	mail.plan(sent.email, 'takeAndHangUp');
	const { execution } = await orders.run(sent);
	expect(mail.taken(sent.email)).toBe(1);
	expect(execution.ran('Ask a Person')).toBe(true);
	expect(chat.received.at(-1)?.body.text).toMatch(`Nobody knows whether the mail for send_order_confirmation:${sent.orderId} went out (unknown)`);
	for (let delivery = 0; delivery < 2; delivery++) {
		expect(await orders.post(sent)).toMatchObject({ status: 409, body: { status: 'under review', reason: 'unknown' } });
	}
	expect(mail.tries(sent.email)).toBe(1);
});

it('sends again, through the wait, what the server put off (greylisting)', async () => {
	const sent = order();
	mail.plan(sent.email, 'greylist');
	const { execution } = await orders.run(sent);
	expect([execution.ran('Wait'), execution.ran('Mail Is Out')]).toEqual([true, true]);
	expect([mail.tries(sent.email), mail.taken(sent.email)]).toEqual([2, 1]);
});

it('reports a refused address, and does not try it again', async () => {
	const sent = order();
	mail.plan(sent.email, 'refuse');
	const { execution } = await orders.run(sent);
	expect(execution.ran('Report Refused Mail')).toBe(true);
	expect(await orders.post(sent)).toMatchObject({ status: 409 });
	expect([mail.tries(sent.email), mail.taken(sent.email)]).toEqual([1, 0]);
});
