import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialTestFunctions } from 'n8n-workflow';

import { IdempotencyLedgerTrigger } from '../../../nodes/IdempotencyLedgerTrigger/IdempotencyLedgerTrigger.node';
import { EVENTS } from '../../../nodes/IdempotencyLedgerTrigger/events';
import { embeddedLedger } from './watching';

const folder = join(__dirname, '../../../nodes/IdempotencyLedgerTrigger');

describe('what n8n shows of the Ledger Trigger', () => {
	const { description, methods } = new IdempotencyLedgerTrigger();

	it('a polling trigger with one output, which starts a workflow', () => {
		expect(description).toMatchObject({ polling: true, group: ['trigger'], inputs: [], outputs: ['main'] });
	});

	it('offers every event, all of them chosen', () => {
		const events = description.properties.find(({ name }) => name === 'events')!;
		expect((events.options as Array<{ value: string }>).map(({ value }) => value)).toEqual([...EVENTS]);
		expect(events.default).toEqual([...EVENTS]);
	});

	it('has icons in light and dark, and search words in the codex', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const name of [light, dark]) expect(existsSync(join(folder, name.replace('file:', '')))).toBe(true);
		const codex = JSON.parse(readFileSync(join(folder, 'IdempotencyLedgerTrigger.node.json'), 'utf8')) as { node: string; alias: string[] };
		expect(codex.node).toBe('n8n-nodes-idempotency.idempotencyLedgerTrigger');
		expect(codex.alias).toEqual(expect.arrayContaining(['idempotency', 'review', 'dead letter']));
	});

	it('tests its credential', async () => {
		const [{ testedBy }] = description.credentials!;
		const test = methods.credentialTest[testedBy as 'ledgerConnectionTest'];
		const answer = await test.call({} as ICredentialTestFunctions, { id: '', name: 'Ledger', type: 'idempotencyLedgerApi', data: embeddedLedger() });
		expect(answer).toMatchObject({ status: 'OK' });
	});
});
