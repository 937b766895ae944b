import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { createLedger, ledgerData } from '../support/ledgers';
import { Published } from '../support/Published';
import { Sink, type Reaction } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let crm: Sink;
let batches: Published;

beforeAll(async () => {
	crm = await Sink.start();
	crm.react(({ body }) => ({ status: 201, body: { contactId: `contact-of-${String(body.id)}` } }));
	const ledger = await createLedger('Batch', ledgerData('embedded'));
	batches = await Published.create(readyTemplate('batch-of-crm-contacts.json', { ledger, replace: { 'https://crm.example.com': crm.url } }), 'Batch');
});
afterAll(async () => await crm.stop());

/** Five contacts; their IDs end in -1 … -5. */
function fiveContacts() {
	const batch = randomUUID();
	return [1, 2, 3, 4, 5].map((n) => ({ id: `${batch}-${n}`, email: `${n}@example.com`, name: `Contact ${n}` }));
}

/** What the answer says of each contact, in the order of the contacts. */
async function send(contacts: Array<{ id: string }>): Promise<IDataObject[]> {
	const { status, body } = await batches.post({ contacts });
	expect(status).toBe(200);
	const lines = body as unknown as IDataObject[];
	expect(lines).toHaveLength(contacts.length);
	return contacts.map(({ id }) => lines.find((line) => line.id === id) ?? {});
}

const statuses = (lines: IDataObject[]) => lines.map(({ status }) => status);
const requests = (contacts: Array<{ id: string }>) => contacts.map(({ id }) => crm.at('/contacts').filter(({ body }) => body.id === id).length);

const THIRD = 2;

it('item 3 is put off: the whole batch sent again replays the others and creates the third', async () => {
	const contacts = fiveContacts();
	crm.plan('id', contacts[THIRD].id, { status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '1' } });
	const first = await send(contacts);
	expect(statuses(first)).toEqual(['sealed', 'sealed', 'retry', 'sealed', 'sealed']);
	await sleep(2_300);
	const second = await send(contacts);
	expect(statuses(second)).toEqual(['done_before', 'done_before', 'sealed', 'done_before', 'done_before']);
	expect(second.map(({ contactId }) => contactId)).toEqual(contacts.map(({ id }) => `contact-of-${id}`));
	expect(requests(contacts)).toEqual([1, 1, 2, 1, 1]);
});

it('item 3 is refused for good: nothing of the batch is done again', async () => {
	const contacts = fiveContacts();
	crm.plan('id', contacts[THIRD].id, { status: 422, body: { message: 'No such domain' } });
	expect(statuses(await send(contacts))).toEqual(['sealed', 'sealed', 'failed', 'sealed', 'sealed']);
	expect(statuses(await send(contacts))).toEqual(['done_before', 'done_before', 'review', 'done_before', 'done_before']);
	expect(requests(contacts)).toEqual([1, 1, 1, 1, 1]);
});

it('the CRM creates 3 and 5, and the answers are lost: both wait for a person, neither is sent again', async () => {
	const contacts = fiveContacts();
	for (const lost of [contacts[2], contacts[4]]) crm.plan('id', lost.id, 'reset' satisfies Reaction);
	const expected = ['sealed', 'sealed', 'review', 'sealed', 'review'];
	expect(statuses(await send(contacts))).toEqual(expected);
	expect(statuses(await send(contacts))).toEqual(['done_before', 'done_before', 'review', 'done_before', 'review']);
	expect(requests(contacts)).toEqual([1, 1, 1, 1, 1]);
});

it('a contact that is twice in a batch is created once', async () => {
	const [contact, other] = fiveContacts();
	const { body } = await batches.post({ contacts: [contact, contact, other] });
	expect(statuses(body as unknown as IDataObject[]).sort()).toEqual(['in_progress', 'sealed', 'sealed']);
	expect(requests([contact, other])).toEqual([1, 1]);
});
