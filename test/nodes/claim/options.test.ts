import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { CLAIM, node, SEAL } from '../../support/engine';
import { answers, claimRun, embeddedLedger, OUT, recordOf, seal } from './claimRun';

describe('Claim: options', () => {
	it('Scope and Version are part of the key', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 1, tenant: 'acme' }], options: { scope: '={{ $json.tenant }}', version: '2' } });
		expect(answers(run, OUT.claimed)[0]).toMatchObject({ key: 'charge@acme:1#2', scope: 'acme', version: '2' });
	});

	it.each(['scope', 'version'])('an empty %s that was given is refused: it would merge tenants', async (name) => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 1 }], options: { [name]: '={{ $json.missing }}' }, settings: { onError: 'continueRegularOutput' } });
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: 'INVALID_KEY_PART' });
	});

	it('Trim and Lower-Case make spellings one key, and only then', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 'Ab' }, { id: ' ab ' }], options: { trim: true, lowerCase: true } });
		expect(run.counts('Claim')).toEqual([1, 0, 1, 0]);
		const plain = await claimRun({ ledger, items: [{ id: 'Cd' }, { id: 'cd' }, { id: ' cd' }] });
		expect(plain.counts('Claim')).toEqual([3, 0, 0, 0]);
	});

	it('Hash Business ID keeps the ID out of the ledger, and uses the credential’s secret', async () => {
		const ledger = { ...embeddedLedger(), hashSecret: 'pepper' };
		const options = { hashBusinessId: true };
		const run = await claimRun({ ledger, items: [{ id: 'jane@example.com' }], options });
		const { key } = answers(run, OUT.claimed)[0];
		expect(key).toMatch(/^charge:~/);
		expect(JSON.stringify(await recordOf(ledger, key as string))).not.toContain('jane');
		const again = await claimRun({ ledger, items: [{ id: 'jane@example.com' }], options });
		expect(again.counts('Claim')).toEqual([0, 0, 1, 0]);
		const other = await claimRun({ ledger: { ...ledger, hashSecret: 'salt' }, items: [{ id: 'jane@example.com' }], options });
		expect(other.counts('Claim')).toEqual([1, 0, 0, 0]);
	});

	it('Fingerprint Whole Item: any other field is a conflict', async () => {
		const ledger = embeddedLedger();
		const options = { fingerprintWholeItem: true };
		await claimRun({ ledger, items: [{ id: 1, b: 2, a: 1 }], options });
		const same = await claimRun({ ledger, items: [{ a: 1, b: 2, id: 1 }], options });
		expect(same.counts('Claim')).toEqual([0, 0, 1, 0]);
		const changed = await claimRun({ ledger, items: [{ id: 1, a: 1, b: 3 }], options });
		expect(answers(changed, OUT.review)[0]).toMatchObject({ conflict: 'payload_differs' });
	});

	it('Fields That Must Not Change: text or list, nested names; one that’s missing is an error that names it', async () => {
		const ledger = embeddedLedger();
		const item = { id: 1, amount: 5, customer: { id: 'c' } };
		await claimRun({ ledger, items: [item], parameters: { fingerprintFields: ' amount , customer.id ' } });
		const list = await claimRun({ ledger, items: [item], parameters: { fingerprintFields: '={{ ["customer.id", "amount"] }}' } });
		expect(list.counts('Claim')).toEqual([0, 0, 1, 0]);
		const missing = await claimRun({ ledger, items: [item], parameters: { fingerprintFields: 'amount, currency' } });
		expect(missing.error!.message).toContain('currency');
		for (const fields of ['={{ 5 }}', '={{ $json.fields }}', '={{ [1] }}']) {
			const odd = await claimRun({ ledger, items: [item], parameters: { fingerprintFields: fields } });
			expect(odd.error!.message).toContain('Fields That Must Not Change');
		}
		const dotted = await claimRun({ ledger, items: [{ id: 'd', 'order.total': 5 }], parameters: { fingerprintFields: 'order\\.total' } });
		expect(dotted.counts('Claim')).toEqual([1, 0, 0, 0]);
	});

	it('Correlation ID is stored; one that is absurd is refused', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 1 }], options: { correlationId: 'req-9' } });
		expect((await recordOf(ledger, 'charge:1'))!.correlationId).toBe('req-9');
		const absurd = await claimRun({ ledger, items: [{ id: 2 }], options: { correlationId: 'x'.repeat(256) } });
		expect(absurd.error!.message).toContain('Correlation ID');
	});

	it('Output Field names the field; names that n8n reads itself are refused', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 1 }], options: { outputField: 'guard' } });
		expect(answers(run, OUT.claimed, 'guard')[0]).toMatchObject({ status: 'claimed' });
		for (const name of ['error', '__proto__', 'constructor', ' ', '$json']) {
			const refused = await claimRun({ ledger, items: [{ id: 2 }], options: { outputField: name } });
			expect(refused.error!.message).toContain('Output Field');
		}
		expect(await recordOf(ledger, 'charge:2')).toBeNull();
	});

	it('Replay Result As Item JSON: the item becomes the stored result', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 'object' }, { id: 'list' }, { id: 'none' }] });
		const claims = answers(first, OUT.claimed);
		await seal(ledger, claims[0], { result: { charge: 1, error: 'kept apart' } });
		await seal(ledger, claims[1], { result: [1, 2], externalId: 'ch_2' });
		await seal(ledger, claims[2], { result: null, externalId: 'ch_3' });
		const run = await claimRun({ ledger, items: [{ id: 'object' }, { id: 'list' }, { id: 'none' }], options: { replayAs: 'json' } });
		expect(run.json('Claim', OUT.doneBefore)).toEqual([
			{ charge: 1, idempotency: expect.objectContaining({ status: 'done_before', lastError: 'kept apart' }) },
			{ result: [1, 2], idempotency: expect.objectContaining({ status: 'done_before' }) },
			{ id: 'none', idempotency: expect.objectContaining({ status: 'done_before', result: null }) },
		]);
	});

	it('Wait While In Progress: the outcome of the other run is had', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		const waiting = claimRun({ ledger, items: [{ id: 1 }, { id: 'mine' }], options: { waitSeconds: 20 } });
		await new Promise((resolve) => setTimeout(resolve, 900));
		await seal(ledger, answers(first, OUT.claimed)[0]);
		const run = await waiting;
		expect(run.counts('Claim')).toEqual([1, 1, 0, 0]);
		expect(answers(run, OUT.doneBefore)[0]).toMatchObject({ externalId: 'ch_1' });
		// The claim that had to wait along has its whole lease again, and is what it was.
		expect(answers(run, OUT.claimed)[0]).toMatchObject({ key: 'charge:mine', claimedBy: 'first', attempt: 1 });
		const mine = (await recordOf(ledger, 'charge:mine'))!;
		expect(mine.leaseExpiresAt! - mine.createdAt).toBeGreaterThan(15 * 60_000 + 500);
		// Looking isn't counted as stopping a duplicate: once on arrival, once for the answer.
		expect((await recordOf(ledger, 'charge:1'))!.counters.duplicates).toBe(2);
	});

	it('Wait While In Progress ends: still In Progress', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 1 }] });
		const started = Date.now();
		const run = await claimRun({ ledger, items: [{ id: 1 }], options: { waitSeconds: 1 } });
		expect(run.counts('Claim')).toEqual([0, 0, 1, 0]);
		expect(Date.now() - started).toBeGreaterThanOrEqual(950);
	});

	it('Wait While In Progress ends with the execution; what was claimed meanwhile is given back', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 1 }] });
		const started = Date.now();
		await claimRun({
			ledger,
			items: [{ id: 1 }, { id: 'mine' }],
			options: { waitSeconds: 60 },
			onStart: (cancel) => void setTimeout(cancel, 500),
		});
		expect(Date.now() - started).toBeLessThan(10_000);
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(await recordOf(ledger, 'charge:mine')).toBeNull();
		expect(await recordOf(ledger, 'charge:1')).not.toBeNull();
	});

	it.each([-1, 3601, '={{ NaN }}'])('Wait While In Progress = %s is refused', async (waitSeconds) => {
		const run = await claimRun({ ledger: embeddedLedger(), items: [{ id: 1 }], options: { waitSeconds } });
		expect(run.error!.message).toContain('Wait While In Progress');
	});

	it('Manual Runs: Keep Apart uses keys of its own in the editor, and the real ones in production', async () => {
		const ledger = embeddedLedger();
		const options = { manualRuns: 'apart' };
		const manual = await claimRun({ ledger, items: [{ id: 1 }], options, mode: 'manual' });
		expect(answers(manual, OUT.claimed)[0]).toMatchObject({ key: 'charge~test:1', ephemeral: true });
		expect((await recordOf(ledger, 'charge~test:1'))!.expiresAt).not.toBeNull();
		const production = await claimRun({ ledger, items: [{ id: 1 }], options });
		expect(answers(production, OUT.claimed)[0]).toMatchObject({ key: 'charge:1', ephemeral: false });
	});

	it('Manual Runs: by default a manual run claims the real key', async () => {
		const run = await claimRun({ ledger: embeddedLedger(), items: [{ id: 1 }], mode: 'manual' });
		expect(answers(run, OUT.claimed)[0]).toMatchObject({ key: 'charge:1', ephemeral: false });
	});
});

describe('Claim: hints in manual runs', () => {
	/** Only there to be found behind Claim. */
	const sealStub: INodeType = {
		description: { ...new IdempotencyClaim().description, name: 'idempotencySeal', outputs: [NodeConnectionTypes.Main], properties: [], credentials: [] },
		execute: async () => [[]],
	};

	const hints = async (more: object) => {
		const run = await claimRun({ ledger: embeddedLedger(), items: [{ id: 1 }], mode: 'manual', ...more });
		return run.hints('Claim').join('\n');
	};

	it('Claimed connected to nothing', async () => {
		expect(await hints({})).toContain('Nothing is connected to Claimed');
	});

	it('one node on Claimed and another output', async () => {
		const text = await hints({ nodes: [node('Effect', 'test.noOp')], wires: [['Claim', 'Effect'], ['Claim', 2, 'Effect']] });
		expect(text).toContain('"Effect" is connected to Claimed and to another output');
	});

	it('no Seal, and Retry On Fail on the effect', async () => {
		const text = await hints({ nodes: [node('Effect', 'test.noOp', {}, { retryOnFail: true })], wires: [['Claim', 'Effect']] });
		expect(text).toContain('No Idempotency Seal follows');
		expect(text).toMatch(/Retry On Fail of "Effect".* up to 15 calls for one key instead of 5/);
	});

	it('a key made of the execution or the clock', async () => {
		const text = await hints({ parameters: { businessId: '={{ $execution.id }}' } });
		expect(text).toContain('$execution');
	});

	it('production runs give none', async () => {
		const run = await claimRun({ ledger: embeddedLedger(), items: [{ id: 1 }] });
		expect(run.hints('Claim')).toEqual([]);
	});

	it('a workflow that is wired well gives none', async () => {
		const text = await hints({
			nodes: [node('Effect', 'test.noOp'), node('Seal', SEAL)],
			wires: [['Claim', 'Effect'], ['Effect', 'Seal']],
			nodeTypes: { [CLAIM]: new IdempotencyClaim(), [SEAL]: sealStub },
		});
		expect(text).toBe('');
	});
});
