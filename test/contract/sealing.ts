import { HOUR, aClaim, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeSealing(subject: Subject): void {
	describe('sealing', () => {
		const ledger = usingLedger(subject);

		/** A key at its last attempt, the first one sealed with that word. */
		async function lastAttempt(word: 'retryable' | 'unknown_retryable') {
			const first = aClaim({ maxAttempts: 2, policy: 'take_over' });
			await ledger.claim(first);
			await ledger.seal(aSeal(first, word));
			const last = another(first);
			expect(await ledger.claim(last)).toMatchObject({ outcome: 'claimed', record: { attempt: 2 } });
			return last;
		}

		it('keeps a success with result, ID and the time from which retention counts', async () => {
			const claim = aClaim({ retentionSeconds: 3_600 });
			const claimed = await ledger.claim(claim);
			await ledger.pass(claim.key, 60_000);
			const shifted = await ledger.record(claim.key);
			const { outcome, detail, record, at } = await ledger.seal(aSeal(claim, 'success', { result: { id: 'ch_1' }, externalId: 'sealing-1' }));
			expect({ outcome, detail }).toEqual({ outcome: 'sealed', detail: null });
			expect(record).toEqual({
				...shifted,
				revision: 2,
				state: 'succeeded',
				reason: null,
				leaseExpiresAt: null,
				result: { id: 'ch_1' },
				externalId: 'sealing-1',
				sealedWord: 'success',
				completedAt: at,
				expiresAt: at + 3_600_000,
				updatedAt: at,
				history: [
					...shifted.history,
					{ at, from: 'processing', to: 'succeeded', attempt: 1, executionId: 'execution-1', note: 'success', kept: null },
				],
			});
			expect(claimed.record!.expiresAt).toBeNull();
			expect(await ledger.read(claim.key)).toEqual(record);
		});

		it('keeps a retryable failure with its error, due after the delay', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const error = { code: 'ECONNREFUSED', httpStatus: null, message: 'nobody there' };
			const { outcome, record, at } = await ledger.seal(aSeal(claim, 'retryable', { error, retryDelayMs: 90_000 }));
			expect(outcome).toBe('sealed');
			expect(record).toMatchObject({
				state: 'retryable_failed',
				reason: 'retryable',
				sealedWord: 'retryable',
				retryAt: at + 90_000,
				deadlineAt: null,
				leaseExpiresAt: null,
				completedAt: null,
				expiresAt: null,
				lastError: { ...error, at },
				unknownEarlier: false,
			});
		});

		it('keeps a permanent failure, which is forgotten like a success', async () => {
			const claim = aClaim({ retentionSeconds: 60 });
			await ledger.claim(claim);
			const { record, at } = await ledger.seal(aSeal(claim, 'permanent'));
			expect(record).toMatchObject({ state: 'permanent_failed', reason: 'permanent', completedAt: at, expiresAt: at + 60_000 });
		});

		it('puts an unknown outcome into review, whatever the policy: the 500 after which the object was there', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			const { outcome, record } = await ledger.seal(aSeal(claim, 'unknown'));
			expect(outcome).toBe('sealed');
			expect(record).toMatchObject({ state: 'needs_review', reason: 'unknown', sealedWord: 'unknown', expiresAt: null });
			await ledger.pass(claim.key, 1_000 * HOUR);
			expect((await ledger.claim(another(claim))).outcome).toBe('needs_review');
		});

		it('takes an unknown outcome as retryable when told so, and remembers that it was unknown', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'unknown_retryable'));
			expect(record).toMatchObject({ state: 'retryable_failed', unknownEarlier: true });
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'claimed', record: { unknownEarlier: true } });
		});

		it('ends retries when the attempts are used up', async () => {
			const last = await lastAttempt('retryable');
			const { record } = await ledger.seal(aSeal(last, 'retryable', { attempt: 2 }));
			expect(record).toMatchObject({ state: 'permanent_failed', reason: 'attempts_exhausted', retryAt: null });
		});

		it('ends in review instead, when an earlier attempt may have succeeded', async () => {
			const last = await lastAttempt('unknown_retryable');
			const { record } = await ledger.seal(aSeal(last, 'permanent', { attempt: 2 }));
			expect(record).toMatchObject({ state: 'needs_review', reason: 'unknown_earlier', expiresAt: null });
		});

		it('takes an unknown outcome of the last attempt to review even when it may be retried', async () => {
			const last = await lastAttempt('retryable');
			const { record } = await ledger.seal(aSeal(last, 'unknown_retryable', { attempt: 2 }));
			expect(record).toMatchObject({ state: 'needs_review', reason: 'unknown_earlier' });
		});

		it('ends retries at the deadline, counted from the first claim', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const { createdAt } = await ledger.record(claim.key);
			const { record } = await ledger.seal(aSeal(claim, 'retryable', { deadlineSeconds: 1_800 }));
			expect(record).toMatchObject({ state: 'permanent_failed', reason: 'deadline', deadlineAt: createdAt + 1_800_000 });
		});

		it('retries before the deadline', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'retryable', { deadlineSeconds: 1_800 }));
			expect(record).toMatchObject({ state: 'retryable_failed', deadlineAt: record!.createdAt + 1_800_000 });
		});

		it.each(['success', 'retryable', 'permanent', 'unknown', 'unknown_retryable'] as const)(
			'says sealed again, and changes nothing, when %s is said twice (its answer was lost)',
			async (word) => {
				const claim = aClaim();
				await ledger.claim(claim);
				const seal = aSeal(claim, word, { externalId: word === 'success' ? `again-${claim.key}` : null });
				const { record } = await ledger.seal(seal);
				expect(await ledger.seal(seal)).toMatchObject({ outcome: 'sealed', detail: 'again', record });
				expect(await ledger.read(claim.key)).toEqual(record);
			},
		);

		it('gives a success precedence over the holder\'s own unknown', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'unknown'));
			expect(await ledger.seal(aSeal(claim, 'success', { result: 5 }))).toMatchObject({
				outcome: 'sealed',
				record: { state: 'succeeded', result: 5, reason: null, lastError: null },
			});
		});

		it('takes no failure after the holder\'s own unknown: only success is news', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'unknown'));
			expect(await ledger.seal(aSeal(claim, 'permanent'))).toMatchObject({ outcome: 'already_sealed', record });
		});

		it('doubts a success that follows a failure of the same attempt, and keeps its result', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'permanent'));
			const { outcome, record } = await ledger.seal(aSeal(claim, 'success', { result: 'kept', externalId: `mixed-${claim.key}` }));
			expect(outcome).toBe('sealed');
			expect(record).toMatchObject({ state: 'needs_review', reason: 'mixed_outcomes', result: 'kept', externalId: `mixed-${claim.key}`, expiresAt: null });
		});

		it('lets a failure describe only the repeated call when n8n\'s Retry button made it', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'permanent', { rerun: true }));
			expect(record).toMatchObject({ state: 'needs_review', reason: 'effect_rerun' });
		});

		it('believes a success of such a repeated call', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect(await ledger.seal(aSeal(claim, 'success', { rerun: true }))).toMatchObject({ record: { state: 'succeeded' } });
		});

		it('keeps a success for a key without record, so that the word is not lost', async () => {
			const seal = aSeal(aClaim({ scope: 'tenant' }), 'success', { result: [1], externalId: 'orphan-1', attempt: 3 });
			const { outcome, record, at } = await ledger.seal(seal);
			expect(outcome).toBe('not_found');
			expect(record).toMatchObject({
				key: seal.key,
				scope: 'tenant',
				state: 'needs_review',
				reason: 'orphan_success',
				result: [1],
				externalId: 'orphan-1',
				attempt: 3,
				token: seal.token,
				policy: 'review',
				maxAttempts: 5,
				fingerprint: null,
				createdAt: at,
				expiresAt: null,
				revision: 1,
			});
			expect(await ledger.read(seal.key)).toEqual(record);
			expect((await ledger.claim(aClaim({ key: seal.key }))).outcome).toBe('needs_review');
		});

		it.each(['retryable', 'permanent', 'unknown', 'unknown_retryable'] as const)('makes no record of %s for a key without one', async (word) => {
			const seal = aSeal(aClaim(), word);
			expect(await ledger.seal(seal)).toMatchObject({ outcome: 'not_found', record: null });
			expect(await ledger.read(seal.key)).toBeNull();
		});
	});
}
