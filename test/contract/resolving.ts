import type { LedgerRecord } from '../../ledger/core/record';
import { HOUR, aClaim, aDecision, aRecord, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeResolving(subject: Subject): void {
	describe('resolving', () => {
		const ledger = usingLedger(subject);

		async function inReview(changes: Parameters<typeof aClaim>[0] = {}) {
			const claim = aClaim(changes);
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'unknown'));
			return { claim, record: record! };
		}
		async function put(changes: Partial<LedgerRecord>): Promise<LedgerRecord> {
			const record = aRecord(await ledger.now(), changes);
			await ledger.put(record);
			return record;
		}

		it('as succeeded replays the result that the person found', async () => {
			const { claim, record } = await inReview({ retentionSeconds: 60 });
			const answer = await ledger.resolve(aDecision(record, 'succeeded', { result: { id: 'found' }, externalId: 'resolved-1', executionId: '99' }));
			expect(answer).toMatchObject({
				outcome: 'resolved',
				record: {
					state: 'succeeded',
					reason: 'decided',
					decidedBy: { decision: 'succeeded', who: 'ada', why: 'looked it up at the provider', at: answer.at },
					result: { id: 'found' },
					externalId: 'resolved-1',
					completedAt: answer.at,
					expiresAt: answer.at + 60_000,
					revision: record.revision + 1,
				},
			});
			expect(answer.record!.history.at(-1)).toEqual({
				at: answer.at,
				from: 'needs_review',
				to: 'succeeded',
				attempt: 1,
				executionId: '99',
				note: 'resolved: succeeded',
				kept: { who: 'ada', why: 'looked it up at the provider' },
			});
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'succeeded', record: { result: { id: 'found' } } });
		});

		it('as may be retried allows one more attempt at least, at once', async () => {
			const { claim, record } = await inReview({ maxAttempts: 1 });
			const answer = await ledger.resolve(aDecision(record, 'retry'));
			expect(answer.record).toMatchObject({ state: 'retryable_failed', reason: 'decided', retryAt: answer.at, maxAttempts: 2, token: claim.token });
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'claimed', detail: 'retry', record: { attempt: 2 } });
		});

		it('as failed ends it', async () => {
			const { claim, record } = await inReview();
			const answer = await ledger.resolve(aDecision(record, 'failed'));
			expect(answer.record).toMatchObject({ state: 'permanent_failed', reason: 'decided', completedAt: answer.at });
			expect((await ledger.claim(another(claim))).outcome).toBe('needs_review');
		});

		it('frees the retry from an earlier unknown outcome: the person knows', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'unknown_retryable'));
			const { record } = await ledger.claim(another(claim));
			expect(record?.reason).toBe('unknown_earlier');
			const decided = await ledger.resolve(aDecision(record!, 'retry'));
			expect(decided.record).toMatchObject({ unknownEarlier: false });
			expect(decided.record!.history.at(-1)!.kept).toMatchObject({ unknownEarlier: true });
			expect((await ledger.claim(another(claim))).outcome).toBe('claimed');
		});

		it.each([false, true])('holds only for the revision and token that were looked at (forced: %s)', async (force) => {
			const { record } = await inReview();
			const outdated = [{ revision: record.revision - 1 }, { revision: record.revision + 1 }, { token: 'another' }];
			for (const changes of outdated) {
				expect(await ledger.resolve(aDecision(record, 'succeeded', { force, ...changes }))).toMatchObject({ outcome: 'stale_decision', record });
			}
			expect(await ledger.read(record.key)).toEqual(record);
		});

		it('holds although counters went on counting: they are no change', async () => {
			const { claim, record } = await inReview();
			await ledger.claim(another(claim));
			expect((await ledger.resolve(aDecision(record, 'failed'))).outcome).toBe('resolved');
		});

		it('takes one of two decisions made at the same time', async () => {
			const { record } = await inReview();
			const other = await ledger.another();
			const answers = await Promise.all([
				ledger.store.resolve([aDecision(record, 'retry')]),
				other.resolve([aDecision(record, 'failed')]),
			]);
			await other.close();
			expect(answers.map(([{ outcome }]) => outcome).sort()).toEqual(['resolved', 'stale_decision']);
		});

		it('finds nothing where nothing is', async () => {
			expect(await ledger.resolve(aDecision(aRecord(0), 'failed', { force: true }))).toMatchObject({ outcome: 'not_found', record: null });
		});

		it('is refused while a claim is alive, unless forced', async () => {
			const claim = aClaim();
			const { record } = await ledger.claim(claim);
			expect(await ledger.resolve(aDecision(record!, 'retry'))).toMatchObject({ outcome: 'refused', record });
			expect((await ledger.resolve(aDecision(record!, 'retry', { force: true }))).outcome).toBe('resolved');
		});

		it('is applied once the lease is over', async () => {
			const record = await put({ state: 'processing', leaseExpiresAt: (await ledger.now()) - HOUR });
			expect(await ledger.resolve(aDecision(record, 'retry'))).toMatchObject({ outcome: 'resolved', record: { leaseExpiresAt: null } });
		});

		it('is refused on a success, unless forced; the result goes into the history', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'success', { result: { id: 1 }, externalId: 'resolved-2' }));
			for (const decision of ['succeeded', 'retry', 'failed'] as const) {
				expect(await ledger.resolve(aDecision(record!, decision))).toMatchObject({ outcome: 'refused', record });
			}
			const forced = await ledger.resolve(aDecision(record!, 'retry', { force: true }));
			expect(forced.record).toMatchObject({ state: 'retryable_failed', result: null, externalId: null, completedAt: null, expiresAt: null });
			expect(forced.record!.history.at(-1)!.kept).toMatchObject({ result: { id: 1 }, externalId: 'resolved-2' });
		});

		it('meets the holder: its success after a person said failed is a contradiction, with the result kept', async () => {
			const { claim, record } = await inReview();
			await ledger.resolve(aDecision(record, 'failed'));
			expect(await ledger.seal(aSeal(claim, 'success', { result: 'done after all' }))).toMatchObject({
				outcome: 'sealed',
				record: { state: 'needs_review', reason: 'contradiction', result: 'done after all', decidedBy: null },
			});
		});

		it('meets the holder: its success before the allowed retry began settles it', async () => {
			const { claim, record } = await inReview();
			await ledger.resolve(aDecision(record, 'retry'));
			expect((await ledger.seal(aSeal(claim))).record).toMatchObject({ state: 'succeeded' });
		});

		it('meets the holder: its success after the allowed retry began is a late one', async () => {
			const { claim, record } = await inReview();
			await ledger.resolve(aDecision(record, 'retry'));
			await ledger.claim(another(claim));
			expect(await ledger.seal(aSeal(claim))).toMatchObject({ outcome: 'stale', record: { state: 'processing', lateSuccesses: [{ attempt: 1 }] } });
		});

		it('meets the holder: its failure words change nothing', async () => {
			const record = await put({ state: 'processing', leaseExpiresAt: (await ledger.now()) - HOUR });
			const { record: decided } = await ledger.resolve(aDecision(record, 'retry'));
			for (const word of ['retryable', 'permanent'] as const) {
				expect(await ledger.seal(aSeal(record, word))).toMatchObject({ outcome: 'already_sealed', record: decided });
			}
		});

		it('meets the holder: its first unknown goes back to review', async () => {
			const record = await put({ state: 'processing', leaseExpiresAt: (await ledger.now()) - HOUR });
			await ledger.resolve(aDecision(record, 'retry'));
			expect(await ledger.seal(aSeal(record, 'unknown'))).toMatchObject({ outcome: 'sealed', record: { state: 'needs_review', reason: 'unknown' } });
		});
	});
}
