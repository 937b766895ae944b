import type { LedgerRecord } from '../../ledger/core/record';
import { LEDGER_STATES } from '../../ledger/core/states';
import { HOUR, aClaim, aDecision, aRecord, aRelease, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

const PRINTED = { fingerprint: 'v1:one', fingerprintFields: '["amount"]' };

export function describeConflicts(subject: Subject): void {
	describe('conflicts', () => {
		const ledger = usingLedger(subject);

		/** A record in that state, with a fingerprint, at the moment where a claim would do most. */
		async function stored(state: LedgerRecord['state'], changes: Partial<LedgerRecord> = {}): Promise<LedgerRecord> {
			const now = await ledger.now();
			const record = aRecord(now, {
				...PRINTED,
				state,
				policy: 'take_over',
				leaseExpiresAt: state === 'processing' ? now - HOUR : null,
				retryAt: state === 'retryable_failed' ? now - HOUR : null,
				expiresAt: state === 'succeeded' || state === 'permanent_failed' ? now + HOUR : null,
				...changes,
			});
			await ledger.put(record);
			return record;
		}

		it.each(LEDGER_STATES)('are found first in state %s, count, and change nothing else', async (state) => {
			const variants = [
				[{ fingerprint: 'v1:two' }, 'payload_differs'],
				[{ fingerprintFields: '["amount","currency"]' }, 'fields_differ'],
				[{ fingerprint: null, fingerprintFields: null }, 'fingerprint_missing'],
			] as const;
			const record = await stored(state);
			for (const [index, [changes, detail]] of variants.entries()) {
				const claim = aClaim({ ...record, ...PRINTED, token: `other-${index}`, policy: 'take_over', ...changes });
				const answer = await ledger.claim(claim);
				expect(answer).toMatchObject({ outcome: 'conflict', detail });
				const counters = { ...record.counters, conflicts: index + 1 };
				expect(answer.record).toEqual({ ...record, counters });
			}
			expect(await ledger.read(record.key)).toMatchObject({ counters: { conflicts: 3 }, revision: record.revision });
		});

		it('stop even the holder: its own token with another payload', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			expect((await ledger.claim({ ...claim, fingerprint: 'v1:two' })).outcome).toBe('conflict');
		});

		it('do not cost the running holder its claim', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			await ledger.claim(another(claim, { fingerprint: 'v1:two' }));
			expect(await ledger.seal(aSeal(claim))).toMatchObject({ outcome: 'sealed', detail: null });
		});

		it('are still found after completion and every replay: the fingerprint is kept for life', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim));
			expect((await ledger.claim(another(claim))).outcome).toBe('succeeded');
			expect((await ledger.claim(another(claim, { fingerprint: 'v1:two' }))).outcome).toBe('conflict');
			expect((await ledger.claim(another(claim))).outcome).toBe('succeeded');
		});

		it('are still found after a retry', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const second = another(claim);
			expect((await ledger.claim(second)).record).toMatchObject(PRINTED);
			await ledger.release(aRelease(second, { attempt: 2 }));
			expect((await ledger.claim(another(claim, { fingerprint: 'v1:two' }))).outcome).toBe('conflict');
		});

		it('are none for a record without fingerprint; the first one is stored at the next claimed transition only', async () => {
			const bare = aClaim();
			await ledger.claim(bare);
			const printed = another(bare, PRINTED);
			expect(await ledger.claim(printed)).toMatchObject({ outcome: 'in_progress', record: { fingerprint: null } });
			await ledger.seal(aSeal(bare, 'retryable'));
			expect(await ledger.claim(printed)).toMatchObject({ outcome: 'claimed', record: PRINTED });
			expect((await ledger.claim(another(bare))).detail).toBe('fingerprint_missing');
		});

		it('are none once a person accepted the changed payload: the corrected one is stored', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'permanent'));
			await ledger.resolve(aDecision(record!, 'retry', { acceptChangedPayload: true }));
			const corrected = another(claim, { fingerprint: 'v1:corrected' });
			expect(await ledger.claim(corrected)).toMatchObject({ outcome: 'claimed', record: { fingerprint: 'v1:corrected' } });
			expect((await ledger.claim(another(claim))).outcome).toBe('conflict');
		});

		it('stay when a person allows the retry of the same payload only', async () => {
			const claim = aClaim(PRINTED);
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'permanent'));
			await ledger.resolve(aDecision(record!, 'retry'));
			expect((await ledger.claim(another(claim, { fingerprint: 'v1:corrected' }))).outcome).toBe('conflict');
		});
	});
}
