import type { LedgerRecord } from '../../ledger/core/record';
import { DAY, HOUR, aClaim, aDecision, aRecord, aRelease, aSeal, anExtend, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

const FINAL = ['succeeded', 'permanent_failed'] as const;
const UNSETTLED = ['processing', 'retryable_failed', 'needs_review'] as const;

export function describeExpiry(subject: Subject): void {
	describe('expiry and retention', () => {
		const ledger = usingLedger(subject);

		async function put(changes: Partial<LedgerRecord>): Promise<LedgerRecord> {
			const now = await ledger.now();
			const record = aRecord(now, { operation: 'expiry', completedAt: now - DAY, expiresAt: now - 1_000, ...changes });
			await ledger.put(record);
			return record;
		}

		it.each(FINAL)('a record %s that is over counts as none for every command and every read, purged or not', async (state) => {
			const fields = { state, fingerprint: 'v1:old', fingerprintFields: '["x"]', externalId: `over-${state}` };
			const claimed = await ledger.claim(aClaim({ ...(await put(fields)), fingerprint: 'v1:new', token: 'fresh' }));
			expect(claimed).toMatchObject({ outcome: 'claimed', detail: 'first', record: { attempt: 1, revision: 1, fingerprint: 'v1:new', externalId: null, createdAt: claimed.at } });
			const [one, two, three, four, five] = [await put(fields), await put(fields), await put(fields), await put(fields), await put(fields)];
			expect(await ledger.seal(aSeal(one))).toMatchObject({ outcome: 'not_found', record: { reason: 'orphan_success', revision: 1 } });
			expect(await ledger.seal(aSeal(two, 'permanent'))).toMatchObject({ outcome: 'not_found', record: null });
			expect(await ledger.extend(anExtend(three))).toMatchObject({ outcome: 'not_found', record: null });
			expect(await ledger.release(aRelease(four))).toMatchObject({ outcome: 'released', record: null });
			expect(await ledger.resolve(aDecision(five, 'retry', { force: true }))).toMatchObject({ outcome: 'not_found', record: null });
			const six = await put(fields);
			expect(await ledger.read(six.key)).toBeNull();
			expect((await ledger.store.list({ operation: 'expiry', states: [state], limit: 100 })).records).toEqual([]);
			expect((await ledger.store.list({ externalId: `over-${state}`, limit: 100 })).records).toEqual([]);
			const counts = (await ledger.store.statistics()).operations.find(({ operation }) => operation === 'expiry');
			expect(counts?.states[state] ?? 0).toBe(0);
		});

		it.each(FINAL)('a record %s is kept until then', async (state) => {
			const record = await put({ state, expiresAt: (await ledger.now()) + HOUR });
			expect(await ledger.read(record.key)).toEqual(record);
			expect((await ledger.claim(aClaim({ key: record.key }))).outcome).not.toBe('claimed');
		});

		it('retention 0 means for ever, not at once', async () => {
			const claim = aClaim({ retentionSeconds: 0 });
			await ledger.claim(claim);
			expect((await ledger.seal(aSeal(claim))).record).toMatchObject({ state: 'succeeded', expiresAt: null, retentionSeconds: 0 });
			await ledger.pass(claim.key, 3_650 * DAY);
			await ledger.store.purge(1_000);
			expect((await ledger.claim(another(claim))).outcome).toBe('succeeded');
		});

		it.each(UNSETTLED)('a record %s is never forgotten, however old', async (state) => {
			const record = await put({ state, expiresAt: null, completedAt: null, retentionSeconds: 1, policy: 'take_over' });
			await ledger.pass(record.key, 3_650 * DAY);
			await ledger.store.purge(1_000);
			expect(await ledger.read(record.key)).toMatchObject({ state, key: record.key });
		});

		it('retention counts from completion, and replays do not prolong it', async () => {
			const claim = aClaim({ retentionSeconds: 2 * 3_600 });
			await ledger.claim(claim);
			await ledger.pass(claim.key, 10 * HOUR);
			const { record } = await ledger.seal(aSeal(claim));
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'succeeded', record: { expiresAt: record!.expiresAt! - HOUR } });
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'claimed', detail: 'first' });
		});

		it('by the store\'s own clock: a second after completion it is over', async () => {
			const claim = aClaim({ retentionSeconds: 1 });
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim));
			const { records, at } = await ledger.store.get([claim.key]);
			// On a machine that is busy it may be over by now.
			if (at < record!.expiresAt!) expect(records[0]?.state).toBe('succeeded');
			await new Promise((resolve) => setTimeout(resolve, 1_050));
			expect(await ledger.read(claim.key)).toBeNull();
			expect((await ledger.claim(another(claim))).outcome).toBe('claimed');
		});

		it('a settled record that a person reopens does not expire any more', async () => {
			const record = await put({ state: 'permanent_failed', expiresAt: (await ledger.now()) + HOUR });
			await ledger.resolve(aDecision(record, 'retry'));
			await ledger.pass(record.key, DAY);
			expect(await ledger.read(record.key)).toMatchObject({ state: 'retryable_failed', expiresAt: null });
		});

		it('a failure that a late success turns over to review does not expire any more', async () => {
			const record = await put({ state: 'permanent_failed', attempt: 2, expiresAt: (await ledger.now()) + HOUR });
			await ledger.seal(aSeal(record, 'success', { attempt: 1 }));
			await ledger.pass(record.key, DAY);
			await ledger.store.purge(1_000);
			expect(await ledger.read(record.key)).toMatchObject({ state: 'needs_review', expiresAt: null });
		});
	});

	describe('manual runs kept apart', () => {
		const ledger = usingLedger(subject);

		it('are forgotten after an hour in every state', async () => {
			const now = await ledger.now();
			for (const state of [...UNSETTLED, ...FINAL]) {
				const record = aRecord(now, { state, ephemeral: true, expiresAt: now - 1 });
				await ledger.put(record);
				expect(await ledger.read(record.key)).toBeNull();
				expect((await ledger.claim(aClaim({ key: record.key, ephemeral: true }))).detail).toBe('first');
			}
		});

		it('have an hour from each claim, whatever the retention, and a seal does not change that', async () => {
			const claim = aClaim({ ephemeral: true, retentionSeconds: 0 });
			const claimed = await ledger.claim(claim);
			expect(claimed.record).toMatchObject({ ephemeral: true, expiresAt: claimed.at + HOUR });
			await ledger.pass(claim.key, HOUR / 2);
			const sealed = await ledger.seal(aSeal(claim, 'retryable'));
			expect(sealed.record!.expiresAt).toBe(claimed.at + HOUR / 2);
			const again = await ledger.claim(another(claim));
			expect(again.record!.expiresAt).toBe(again.at + HOUR);
		});

		it('leave an orphan that is forgotten too', async () => {
			const claim = aClaim({ ephemeral: true });
			const { record, at } = await ledger.seal(aSeal(claim));
			expect(record).toMatchObject({ ephemeral: true, expiresAt: at + HOUR });
		});
	});
}
