import type { ClaimCommand } from '../../ledger/core/commands';
import { HOUR, aClaim, aDecision, aRelease, aSeal, anExtend, another, nextSerial } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeStaleSeals(subject: Subject): void {
	describe('stale seals and late successes', () => {
		const ledger = usingLedger(subject);

		/** A claim and the one that took it over. */
		async function takenOver(): Promise<[ClaimCommand, ClaimCommand]> {
			const early = aClaim({ policy: 'take_over' });
			await ledger.claim(early);
			await ledger.pass(early.key, HOUR);
			const next = another(early);
			expect((await ledger.claim(next)).detail).toBe('takeover');
			return [early, next];
		}
		const id = () => `stale-id-${nextSerial()}`;

		it('a late holder does not overwrite the new one, but its success is kept', async () => {
			const [early, next] = await takenOver();
			const before = await ledger.record(early.key);
			const externalId = id();
			const { outcome, record, at } = await ledger.seal(aSeal(early, 'success', { externalId, result: 'of the late one' }));
			expect(outcome).toBe('stale');
			expect(record).toMatchObject({
				state: 'processing',
				token: next.token,
				attempt: 2,
				result: null,
				externalId: null,
				leaseExpiresAt: before.leaseExpiresAt,
				lateSuccesses: [{ attempt: 1, externalId, at }],
				counters: { staleSeals: 1 },
				revision: before.revision + 1,
			});
		});

		it('the same late success is kept once', async () => {
			const [early] = await takenOver();
			const seal = aSeal(early, 'success', { externalId: id() });
			const first = await ledger.seal(seal);
			const second = await ledger.seal(seal);
			expect(second.record).toEqual({ ...first.record, counters: { ...first.record!.counters, staleSeals: 2 } });
		});

		it('the right token with another attempt is stale too', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect(await ledger.seal(aSeal(claim, 'permanent', { attempt: 2 }))).toMatchObject({ outcome: 'stale', record: { state: 'processing' } });
		});

		it('the right attempt with another token is stale too', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect(await ledger.seal(aSeal(another(claim), 'permanent'))).toMatchObject({ outcome: 'stale', record: { state: 'processing' } });
		});

		it('after a late success the holder\'s success stands, and differing IDs show that the effect happened twice', async () => {
			const [early, next] = await takenOver();
			const [first, second] = [id(), id()];
			await ledger.seal(aSeal(early, 'success', { externalId: first }));
			const { outcome, detail, record } = await ledger.seal(aSeal(next, 'success', { attempt: 2, externalId: second }));
			expect({ outcome, detail }).toEqual({ outcome: 'sealed', detail: 'anomaly' });
			expect(record).toMatchObject({ state: 'succeeded', externalId: second, anomalies: [{ kind: 'second_effect', externalId: first, otherKey: null }] });
		});

		it('after a late success with the same ID the holder\'s success is simply true', async () => {
			const [early, next] = await takenOver();
			const externalId = id();
			await ledger.seal(aSeal(early, 'success', { externalId }));
			expect(await ledger.seal(aSeal(next, 'success', { attempt: 2, externalId }))).toMatchObject({
				outcome: 'sealed',
				detail: null,
				record: { state: 'succeeded', anomalies: [] },
			});
		});

		it.each(['retryable', 'permanent', 'unknown', 'unknown_retryable'] as const)('after a late success the holder\'s %s goes to review', async (word) => {
			const [early, next] = await takenOver();
			await ledger.seal(aSeal(early));
			expect(await ledger.seal(aSeal(next, word, { attempt: 2 }))).toMatchObject({ record: { state: 'needs_review', reason: 'late_success' } });
		});

		it('after a late success the holder neither claims again, nor extends, nor releases', async () => {
			for (const last of ['claim', 'extend', 'release'] as const) {
				const [early, next] = await takenOver();
				await ledger.seal(aSeal(early));
				const answer =
					last === 'claim'
						? await ledger.claim(next)
						: last === 'extend'
							? await ledger.extend(anExtend(next, { attempt: 2 }))
							: await ledger.release(aRelease(next, { attempt: 2 }));
				expect(answer).toMatchObject({ outcome: 'needs_review', record: { state: 'needs_review', reason: 'late_success' } });
			}
		});

		it('after a late success nobody takes over again', async () => {
			const [early] = await takenOver();
			await ledger.seal(aSeal(early));
			await ledger.pass(early.key, HOUR);
			expect(await ledger.claim(another(early))).toMatchObject({ outcome: 'needs_review', record: { reason: 'late_success' } });
		});

		it.each(['retryable', 'permanent'] as const)('a late success turns the record that the new holder sealed %s over to review', async (word) => {
			// No unknown outcome before: the token was lost with a decision, not with a lease.
			const early = aClaim();
			await ledger.claim(early);
			const { record: expired } = await ledger.seal(aSeal(early, 'unknown'));
			await ledger.resolve(aDecision(expired!, 'retry'));
			const next = another(early);
			await ledger.claim(next);
			await ledger.seal(aSeal(next, word, { attempt: 2 }));
			const { outcome, record } = await ledger.seal(aSeal(early));
			expect(outcome).toBe('stale');
			expect(record).toMatchObject({ state: 'needs_review', reason: 'late_success', lateSuccesses: [{ attempt: 1 }], expiresAt: null, retryAt: null });
		});

		it('a late success with another ID on a success is an anomaly', async () => {
			const [early, next] = await takenOver();
			const [first, second] = [id(), id()];
			await ledger.seal(aSeal(next, 'success', { attempt: 2, externalId: second }));
			const { outcome, record } = await ledger.seal(aSeal(early, 'success', { externalId: first }));
			expect(outcome).toBe('stale');
			expect(record).toMatchObject({
				state: 'succeeded',
				externalId: second,
				anomalies: [{ kind: 'second_effect', externalId: first }],
				lateSuccesses: [{ attempt: 1, externalId: first }],
			});
		});

		it('a late unknown takes the promise back that anybody may take over', async () => {
			const [early, next] = await takenOver();
			const { record } = await ledger.seal(aSeal(early, 'unknown'));
			expect(record).toMatchObject({ state: 'processing', token: next.token, unknownEarlier: true, policy: 'review' });
			await ledger.pass(early.key, HOUR);
			expect((await ledger.claim(another(early))).outcome).toBe('needs_review');
		});

		it('a late failure says nothing: it is counted', async () => {
			const [early] = await takenOver();
			const before = await ledger.record(early.key);
			const { record } = await ledger.seal(aSeal(early, 'retryable'));
			expect(record).toEqual({ ...before, counters: { ...before.counters, staleSeals: 1 } });
		});

		it('five late successes are kept, no more', async () => {
			const [early] = await takenOver();
			for (let index = 0; index < 7; index += 1) await ledger.seal(aSeal(early, 'success', { externalId: id() }));
			const record = await ledger.record(early.key);
			expect(record.lateSuccesses).toHaveLength(5);
			expect(record.counters.staleSeals).toBe(7);
		});
	});
}
