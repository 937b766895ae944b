import { HOUR, aClaim, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeRetry(subject: Subject): void {
	describe('retry', () => {
		const ledger = usingLedger(subject);

		it('waits until it is due, and says when that is', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'retryable', { retryDelayMs: HOUR }));
			const answer = await ledger.claim(another(claim));
			expect(answer).toMatchObject({ outcome: 'in_progress', record: { state: 'retryable_failed', retryAt: record!.retryAt, counters: { duplicates: 1 } } });
		});

		it('is due by the store\'s own clock', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const sealed = await ledger.seal(aSeal(claim, 'retryable', { retryDelayMs: 250 }));
			const early = await ledger.claim(another(claim));
			// On a machine that is busy it may be due by now.
			if (early.at < sealed.record!.retryAt!) expect(early.outcome).toBe('in_progress');
			await new Promise((resolve) => setTimeout(resolve, 300));
			const again = early.outcome === 'claimed' ? early : await ledger.claim(another(claim));
			expect(again).toMatchObject({ outcome: 'claimed', detail: 'retry' });
			expect(again.at).toBeGreaterThanOrEqual(sealed.record!.retryAt!);
		});

		it('is the next attempt under a new token; attempts and retention stay as first given', async () => {
			const claim = aClaim({ maxAttempts: 3, retentionSeconds: 60, correlationId: 'trace' });
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'retryable'));
			const next = another(claim, { maxAttempts: 9, retentionSeconds: 0, correlationId: null, leaseMs: 1_234, policy: 'take_over' });
			const { outcome, detail, record: retried, at } = await ledger.claim(next);
			expect({ outcome, detail }).toEqual({ outcome: 'claimed', detail: 'retry' });
			expect(retried).toEqual({
				...record,
				revision: record!.revision + 1,
				state: 'processing',
				reason: null,
				token: next.token,
				attempt: 2,
				policy: 'take_over',
				leaseExpiresAt: at + 1_234,
				retryAt: null,
				sealedWord: null,
				owner: next.owner,
				updatedAt: at,
				history: [
					...record!.history,
					{ at, from: 'retryable_failed', to: 'processing', attempt: 2, executionId: 'execution-2', note: 'retry', kept: null },
				],
			});
		});

		it('is not given to the token that ended the attempt', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			expect(await ledger.claim(claim)).toMatchObject({ outcome: 'in_progress', record: { state: 'retryable_failed', counters: { duplicates: 1 } } });
		});

		it('goes to review when an earlier outcome is unknown and one side does not allow a take-over', async () => {
			for (const [first, arriving] of [['review', 'take_over'], ['take_over', 'review']] as const) {
				const claim = aClaim({ policy: first });
				await ledger.claim(claim);
				await ledger.seal(aSeal(claim, 'unknown_retryable'));
				expect(await ledger.claim(another(claim, { policy: arriving }))).toMatchObject({
					outcome: 'needs_review',
					record: { state: 'needs_review', reason: 'unknown_earlier', retryAt: null },
				});
			}
		});

		it('is not offered for a permanent failure: that is a state, not an answer to replay', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'permanent'));
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'needs_review', record: { state: 'permanent_failed', counters: { duplicates: 1 } } });
		});

		it('ends after the attempts that the first claim allowed', async () => {
			const first = aClaim({ maxAttempts: 3 });
			const outcomes: string[] = [];
			for (let attempt = 1; attempt <= 4; attempt += 1) {
				const claim = another(first);
				const { outcome } = await ledger.claim(claim);
				outcomes.push(outcome);
				if (outcome === 'claimed') await ledger.seal(aSeal(claim, 'retryable', { attempt }));
			}
			expect(outcomes).toEqual(['claimed', 'claimed', 'claimed', 'needs_review']);
			expect(await ledger.record(first.key)).toMatchObject({ state: 'permanent_failed', reason: 'attempts_exhausted', attempt: 3 });
		});

		it('goes on after a success was said at last', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const next = another(claim);
			await ledger.claim(next);
			expect(await ledger.seal(aSeal(next, 'success', { attempt: 2, result: 'at last' }))).toMatchObject({ record: { state: 'succeeded', result: 'at last', lastError: null } });
		});
	});
}
