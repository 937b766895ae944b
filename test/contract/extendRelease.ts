import { HOUR, aClaim, aRelease, aSeal, anExtend, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeExtendAndRelease(subject: Subject): void {
	describe('extending a lease', () => {
		const ledger = usingLedger(subject);

		it('makes it later', async () => {
			const claim = aClaim({ leaseMs: 60_000 });
			const { record } = await ledger.claim(claim);
			const answer = await ledger.extend(anExtend(claim, { extendMs: 5 * HOUR }));
			expect(answer.outcome).toBe('extended');
			expect(answer.record).toEqual({ ...record, leaseExpiresAt: answer.at + 5 * HOUR, revision: 2, updatedAt: answer.at });
		});

		it('never makes it shorter', async () => {
			const claim = aClaim({ leaseMs: 5 * HOUR });
			const { record } = await ledger.claim(claim);
			expect(await ledger.extend(anExtend(claim, { extendMs: 1 }))).toMatchObject({ outcome: 'extended', record: { leaseExpiresAt: record!.leaseExpiresAt } });
		});

		it('brings back one that ran out when nobody took it: a 60 s lock and a longer model call', async () => {
			const claim = aClaim({ leaseMs: 60_000, policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, 90_000);
			expect((await ledger.extend(anExtend(claim))).outcome).toBe('extended');
			expect((await ledger.claim(another(claim))).outcome).toBe('in_progress');
		});

		it('is for the holder only', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const before = await ledger.record(claim.key);
			expect((await ledger.extend(anExtend(another(claim)))).outcome).toBe('stale');
			expect((await ledger.extend(anExtend(claim, { attempt: 2 }))).outcome).toBe('stale');
			expect((await ledger.extend(anExtend(aClaim()))).outcome).toBe('not_found');
			expect(await ledger.read(claim.key)).toEqual(before);
		});

		it('says what became of the claim meanwhile', async () => {
			const outcomes = { retryable: 'already_sealed', permanent: 'already_sealed', success: 'already_sealed', unknown: 'needs_review' } as const;
			for (const [word, outcome] of Object.entries(outcomes)) {
				const claim = aClaim();
				await ledger.claim(claim);
				const { record } = await ledger.seal(aSeal(claim, word as keyof typeof outcomes));
				expect(await ledger.extend(anExtend(claim))).toMatchObject({ outcome, record });
			}
		});
	});

	describe('releasing a claim', () => {
		const ledger = usingLedger(subject);

		async function secondAttempt(word: 'retryable' | 'unknown_retryable', maxAttempts = 5) {
			const first = aClaim({ policy: 'take_over', maxAttempts });
			await ledger.claim(first);
			await ledger.seal(aSeal(first, word));
			const second = another(first);
			await ledger.claim(second);
			return second;
		}

		it('of the first attempt leaves no trace', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect(await ledger.release(aRelease(claim))).toMatchObject({ outcome: 'released', detail: null, record: null });
			expect(await ledger.read(claim.key)).toBeNull();
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'claimed', detail: 'first' });
		});

		it('can be repeated when its answer was lost', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.release(aRelease(claim));
			expect(await ledger.release(aRelease(claim))).toMatchObject({ outcome: 'released', record: null });
			const second = await secondAttempt('retryable');
			const { record } = await ledger.release(aRelease(second, { attempt: 2 }));
			expect(await ledger.release(aRelease(second, { attempt: 2 }))).toMatchObject({ outcome: 'released', record });
		});

		it('of a later attempt leaves it due at once, with one more attempt at least', async () => {
			const second = await secondAttempt('retryable', 2);
			const { outcome, record, at } = await ledger.release(aRelease(second, { attempt: 2 }));
			expect(outcome).toBe('released');
			expect(record).toMatchObject({ state: 'retryable_failed', reason: 'released', sealedWord: 'released', retryAt: at, attempt: 2, maxAttempts: 3 });
			expect(await ledger.claim(another(second))).toMatchObject({ outcome: 'claimed', record: { attempt: 3 } });
		});

		it('goes to review when an earlier attempt may have succeeded', async () => {
			const second = await secondAttempt('unknown_retryable');
			expect(await ledger.release(aRelease(second, { attempt: 2 }))).toMatchObject({ outcome: 'needs_review', record: { state: 'needs_review', reason: 'unknown_earlier' } });
		});

		it('is for the holder only', async () => {
			const claim = aClaim();
			const { record } = await ledger.claim(claim);
			expect((await ledger.release(aRelease(another(claim)))).outcome).toBe('stale');
			expect((await ledger.release(aRelease(claim, { attempt: 2 }))).outcome).toBe('stale');
			expect(await ledger.read(claim.key)).toEqual(record);
		});

		it('works after the lease, also when the claim is in review for it', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			await ledger.claim(another(claim));
			expect(await ledger.release(aRelease(claim))).toMatchObject({ outcome: 'released', record: null });
		});

		it('is refused once the outcome was said', async () => {
			const outcomes = { retryable: 'already_sealed', permanent: 'already_sealed', success: 'already_sealed', unknown: 'refused' } as const;
			for (const [word, outcome] of Object.entries(outcomes)) {
				const claim = aClaim();
				await ledger.claim(claim);
				const { record } = await ledger.seal(aSeal(claim, word as keyof typeof outcomes));
				expect(await ledger.release(aRelease(claim))).toMatchObject({ outcome, record });
			}
		});

		it('by n8n\'s Retry button is not believed', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect(await ledger.release(aRelease(claim, { rerun: true }))).toMatchObject({ outcome: 'needs_review', record: { reason: 'effect_rerun' } });
		});
	});
}
