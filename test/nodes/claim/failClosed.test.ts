import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject, OnError } from 'n8n-workflow';

import { node, runWorkflow, workflow, CLAIM } from '../../support/engine';
import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { answers, claimRun, embeddedLedger, OUT, recordOf, type ClaimRun } from './claimRun';

/** A ledger that can't be reached: nothing listens on that port. */
const down = { store: 'postgres', postgresHost: '127.0.0.1', postgresPort: 9, connectTimeoutSeconds: 1 };
const continued: OnError[] = ['continueRegularOutput', 'continueErrorOutput'];

/** The wires of a real workflow: the effect behind Claimed counts its calls. */
async function withEffect(given: ClaimRun) {
	let effects = 0;
	const run = await claimRun({
		...given,
		nodes: [node('Effect', 'test.effect'), ...(given.nodes ?? [])],
		wires: [['Claim', 'Effect'], ...(given.wires ?? [])],
		effects: { Effect: () => ({ done: ++effects }) },
	});
	return { run, effects: () => effects };
}

const troubles: Array<[string, Pick<ClaimRun, 'ledger'> & Partial<ClaimRun>, RegExp, string]> = [
	['the ledger down', { ledger: down }, /PostgreSQL|connect|reach/i, 'UNREACHABLE'],
	['the credential missing', { ledger: {}, settings: { credentials: undefined } }, /credential/i, 'INVALID_SETTINGS'],
	['the credential deleted', { ledger: {}, credentials: {} }, /could not be read/, 'INVALID_SETTINGS'],
	['a credential field that can’t be used', { ledger: { embeddedFileName: '../x' } }, /File Name/, 'INVALID_SETTINGS'],
	['the business ID missing', { ledger: embeddedLedger(), items: [{ other: 1 }] }, /business ID/i, 'INVALID_BUSINESS_ID'],
	['a lease of 0', { ledger: embeddedLedger(), parameters: { leaseMinutes: 0 } }, /Lease Duration/, 'INVALID_PARAMETER'],
	['Output Field = error', { ledger: embeddedLedger(), options: { outputField: 'error' } }, /Output Field/, 'INVALID_PARAMETER'],
	['an expression that throws', { ledger: embeddedLedger(), parameters: { businessId: '={{ $("Nowhere").item.json.id }}' } }, /businessId|Nowhere/, 'INVALID_PARAMETER'],
];

describe.each(troubles)('Claim with %s lets nothing through', (_name, given, text, code) => {
	const base = { items: [{ id: 'a' }], ...given };

	it('On Error = Stop: an error that names the item and says what to do', async () => {
		const { run, effects } = await withEffect(base);
		expect(run.status).toBe('error');
		expect(run.error!.message).toMatch(text);
		expect((run.error as { description?: string }).description).toMatch(/\w/);
		expect((run.error as { context?: { itemIndex?: number } }).context?.itemIndex).toBe(0);
		expect(effects()).toBe(0);
	});

	it.each(continued)('On Error = %s: the item leaves by Review or the error output', async (onError) => {
		const { run, effects } = await withEffect({ ...base, settings: { ...base.settings, onError } });
		expect(run.status).toBe('success');
		expect(effects()).toBe(0);
		expect(run.items('Claim', OUT.claimed)).toEqual([]);
		if (onError === 'continueErrorOutput') {
			expect(run.counts('Claim')).toEqual([0, 0, 0, 0, 1]);
			expect(run.json('Claim', OUT.error)[0]).toMatchObject({ ...base.items[0], error: expect.stringMatching(text) });
		} else {
			expect(run.counts('Claim')).toEqual([0, 0, 0, 1]);
			expect(run.json('Claim', OUT.review)[0]).not.toHaveProperty('error');
			expect(answers(run, OUT.review)[0]).toMatchObject({
				status: 'error',
				code,
				message: expect.stringMatching(text),
				advice: expect.stringMatching(/\w/),
			});
		}
	});
});

describe('Claim: fail closed', () => {
	it.each([
		['leaseMinutes', 0],
		['leaseMinutes', -1],
		['leaseMinutes', '={{ NaN }}'],
		['leaseMinutes', 1e9],
		['leaseMinutes', '={{ undefined }}'],
		['leaseMinutes', '={{ true }}'],
		['maxAttempts', 0],
		['maxAttempts', 1.5],
		['maxAttempts', 1e6],
		['retentionDays', -1],
		['retentionDays', '={{ Infinity }}'],
		['whenLeaseExpires', '={{ "whatever" }}'],
	])('%s = %s is refused by name', async (name, value) => {
		const labels = { leaseMinutes: 'Lease Duration', maxAttempts: 'Max Attempts', retentionDays: 'Keep Finished Records For', whenLeaseExpires: 'When Lease Expires' };
		const ledger = embeddedLedger();
		const { run, effects } = await withEffect({ ledger, items: [{ id: 1 }], parameters: { [name]: value }, settings: { onError: 'continueRegularOutput' } });
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: 'INVALID_PARAMETER', message: expect.stringContaining(labels[name as 'maxAttempts']) });
		expect(effects()).toBe(0);
		expect(await recordOf(ledger, 'charge:1')).toBeNull();
	});

	it('a very short retention is not taken as for ever', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 1 }], parameters: { retentionDays: 0.000001 } });
		expect((await recordOf(ledger, 'charge:1'))!.retentionSeconds).toBe(1);
	});

	it('On Error = Stop: one bad item, and nothing of the batch is claimed', async () => {
		const ledger = embeddedLedger();
		const { run, effects } = await withEffect({ ledger, items: [{ id: 'good' }, { id: null }] });
		expect(run.error!.message).toMatch(/business ID/i);
		expect((run.error as { context?: { itemIndex?: number } }).context?.itemIndex).toBe(1);
		expect(effects()).toBe(0);
		expect(await recordOf(ledger, 'charge:good')).toBeNull();
	});

	it('On Error = Continue: one bad item, and the others are claimed', async () => {
		const ledger = embeddedLedger();
		const { run, effects } = await withEffect({ ledger, items: [{ id: 'good' }, { id: '' }], settings: { onError: 'continueErrorOutput' } });
		expect(run.counts('Claim')).toEqual([1, 0, 0, 0, 1]);
		expect(run.json('Claim', OUT.error)[0]).toMatchObject({ id: '', error: expect.stringMatching(/business ID/i) });
		expect(effects()).toBe(1);
	});

	it.each([undefined, ...continued])('Always Output Data is refused, On Error = %s, and no ghost item appears', async (onError) => {
		const ledger = embeddedLedger();
		const { run, effects } = await withEffect({ ledger, items: [{ id: 1 }], settings: { alwaysOutputData: true, onError } });
		expect(effects()).toBe(0);
		expect(await recordOf(ledger, 'charge:1')).toBeNull();
		if (onError === undefined) {
			expect(run.error!.message).toContain('Always Output Data');
			expect((run.error as { description?: string }).description).toContain('off');
			return;
		}
		expect(run.items('Claim', OUT.claimed)).toEqual([]);
		const text = onError === 'continueErrorOutput' ? run.json('Claim', OUT.error)[0].error : answers(run, OUT.review)[0].message;
		expect(text).toContain('Always Output Data');
	});

	it('a bug inside the node doesn’t open it either', async () => {
		const ledger = embeddedLedger();
		const claim = new IdempotencyClaim();
		const broken = Object.create(claim) as IdempotencyClaim;
		broken.execute = async function () {
			const context = Object.create(this, { getInstanceId: { value: () => { throw new TypeError('x is not a function'); } } });
			return await claim.execute.call(context);
		};
		let effects = 0;
		const run = await runWorkflow({
			workflow: workflow(
				[
					node('Start', 'test.trigger', { items: [{ id: 1 }] as never }),
					node('Claim', CLAIM, { operation: 'charge', businessId: '={{ $json.id }}' }, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } }, onError: 'continueRegularOutput' }),
					node('Effect', 'test.effect'),
				],
				[['Start', 'Claim'], ['Claim', 'Effect']],
			),
			nodeTypes: { [CLAIM]: broken },
			credentials: { ledger },
			effects: { Effect: () => ({ done: ++effects }) },
		});
		expect(effects).toBe(0);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: 'UNEXPECTED', message: expect.stringContaining('x is not a function') });
	});

	it('a ledger that is locked for longer than the time-out fails the claim', async () => {
		const ledger: ICredentialDataDecryptedObject = { ...embeddedLedger(), commandTimeoutSeconds: 1 };
		await claimRun({ ledger, items: [{ id: 'made' }] });
		const database = new DatabaseSync(join(process.env.N8N_USER_FOLDER!, '.n8n', ledger.embeddedFileName as string));
		database.exec('BEGIN IMMEDIATE');
		const { run, effects } = await withEffect({ ledger, items: [{ id: 1 }], settings: { onError: 'continueRegularOutput' } });
		database.exec('ROLLBACK');
		database.close();
		expect(effects()).toBe(0);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: expect.stringMatching(/BUSY|TIMEOUT/) });
	});

	it('an error in the data doesn’t make n8n take the item for failed', async () => {
		const ledger = embeddedLedger();
		for (const onError of [undefined, ...continued]) {
			const run = await claimRun({ ledger, items: [{ id: `e-${onError}`, error: { message: 'old' } }], settings: { onError } });
			const [json] = run.json('Claim', OUT.claimed);
			expect(json).not.toHaveProperty('error');
			expect(json.idempotency).toMatchObject({ status: 'claimed', lastError: { message: 'old' } });
		}
	});

	it('a disabled Claim is no guard: n8n passes its input on', async () => {
		const ledger = embeddedLedger();
		const { run, effects } = await withEffect({ ledger, items: [{ id: 1 }], settings: { disabled: true } });
		expect(effects()).toBe(1);
		expect(run.json('Claim', OUT.claimed)).toEqual([{ id: 1 }]);
	});
});
