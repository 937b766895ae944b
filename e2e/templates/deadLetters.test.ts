import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import { Editor } from '../support/Editor';
import { n8n } from '../support/instance';
import { createLedger, ledgerData, type CredentialReference } from '../support/ledgers';
import { Published } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let sink: Sink;
let orders: Published;
let editor: Editor;
let page: Page;
let formUrl: string;
const shop = new Map<string, object>();

beforeAll(async () => {
	sink = await Sink.start();
	sink.react(({ path }) => (path.startsWith('/orders/') ? { status: 200, body: shop.get(path.slice('/orders/'.length)) } : undefined));
	// A ledger of its own: the form lists all of it.
	const ledger: CredentialReference = await createLedger('Dead letters', { ...ledgerData('embedded'), embeddedFileName: `dead-${randomUUID()}.sqlite` });
	orders = await Published.create(readyTemplate('guard-an-http-create.json', { ledger, replace: { 'https://payments.example.com': sink.url } }), 'Charges for dead letters');
	const path = randomUUID();
	const template = readyTemplate('dead-letters.json', {
		ledger,
		replace: { 'https://shop.example.com': sink.url, 'https://n8n.example.com/webhook/orders': `${n8n().url}/webhook/${orders.path}` },
		// Behind n8n's login the form goes by OAuth over n8n's public address, which this n8n doesn't have.
		change: (node) => (node.type === 'n8n-nodes-base.formTrigger' ? { ...node, webhookId: path, parameters: { ...node.parameters, authentication: 'none' } } : node),
	});
	const { id } = await n8n().createWorkflow(template);
	await n8n().publishWorkflow(id);
	formUrl = `${n8n().url}/form/${path}`;
	editor = await Editor.open();
	page = editor.page;
	page.setDefaultTimeout(15_000);
});
afterAll(async () => {
	await editor.close();
	await sink.stop();
});

function newOrder() {
	const order = { orderId: randomUUID(), amount: 4990, currency: 'EUR' };
	shop.set(order.orderId, order);
	return order;
}

const charges = (orderId: string) => sink.at('/charges').filter(({ body }) => body.orderId === orderId).length;

/** What a person does with the form; gives back the last page's text. */
async function decide(record: string, decision: string, more: { externalId?: string; meanwhile?: () => Promise<unknown> } = {}): Promise<string> {
	await page.goto(formUrl);
	await page.getByLabel('Your name').fill('Ada');
	await page.getByRole('button', { name: 'Show' }).click();
	const records = page.getByLabel('Record');
	await records.waitFor();
	const options = await records.locator('option').allInnerTexts();
	await records.selectOption(options.find((option) => option.includes(record)) ?? 'none');
	await page.getByLabel('What did you find out?').selectOption(decision);
	await page.getByLabel('Why?').fill('Looked at the dashboard');
	await page.getByLabel('If it happened').fill(more.externalId ?? '');
	await editor.screenshot('dead-letters-form');
	await more.meanwhile?.();
	await page.getByRole('button', { name: 'Decide' }).click();
	await page.getByText(/^(Settled|Sent again|Given up|Nothing was decided)$/).waitFor();
	return await page.locator('body').innerText();
}

it('says so when there is nothing to decide', async () => {
	await page.goto(formUrl);
	await page.getByLabel('Your name').fill('Ada');
	await page.getByRole('button', { name: 'Show' }).click();
	await page.getByText('Nothing to decide').waitFor();
});

it('a refused order is sent again through the normal path, and charged', async () => {
	const order = newOrder();
	sink.plan('orderId', order.orderId, { status: 422, body: { message: 'The card was declined.' } });
	expect((await orders.post(order)).status).toBe(422);
	expect((await orders.post(order)).status).toBe(409);
	const shown = await decide(order.orderId, 'It did not happen: send it again');
	expect(shown).toContain('Sent again');
	expect(shown).toContain('"replayed":false');
	expect(charges(order.orderId)).toBe(2);
	expect(await orders.post(order)).toMatchObject({ status: 200, body: { replayed: true } });
	expect(charges(order.orderId)).toBe(2);
});

it('an order of unknown outcome that did happen is settled, and replayed', async () => {
	const order = newOrder();
	sink.plan('orderId', order.orderId, 'reset');
	await orders.post(order);
	expect(await decide(order.orderId, 'It happened', { externalId: 'ch_found' })).toContain('Settled');
	expect(await orders.post(order)).toMatchObject({ status: 200, body: { charge: 'ch_found', replayed: true } });
	expect(charges(order.orderId)).toBe(1);
});

it('decides nothing when the record has changed since it was shown', async () => {
	const order = newOrder();
	sink.plan('orderId', order.orderId, 'reset');
	await orders.post(order);
	const other = await Editor.open();
	const meanwhile = async () => {
		// Somebody else, with a form of their own.
		const mine = page;
		page = other.page;
		await decide(order.orderId, 'It did not happen: give it up');
		page = mine;
	};
	const shown = await decide(order.orderId, 'It did not happen: send it again', { meanwhile });
	await other.close();
	expect(shown).toContain('Nothing was decided');
	expect(charges(order.orderId)).toBe(1);
});
