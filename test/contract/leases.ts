import { HOUR, SECOND, aClaim, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

export function describeLeases(subject: Subject): void {
	describe('leases', () => {
		const ledger = usingLedger(subject);

		it('run out by the store\'s own clock', async () => {
			const claim = aClaim({ leaseMs: 250, policy: 'take_over' });
			const { record } = await ledger.claim(claim);
			const early = await ledger.claim(another(claim));
			// On a machine that is busy the lease may be over by now.
			if (early.at < record!.leaseExpiresAt!) expect(early.outcome).toBe('in_progress');
			await sleep(300);
			const taken = early.outcome === 'claimed' ? early : await ledger.claim(another(claim));
			expect(taken).toMatchObject({ outcome: 'claimed', detail: 'takeover' });
			expect(taken.at).toBeGreaterThanOrEqual(record!.leaseExpiresAt!);
		});

		it('cover a wait of an hour less a moment', async () => {
			const claim = aClaim({ leaseMs: HOUR, policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR - 30 * SECOND);
			expect((await ledger.claim(another(claim))).outcome).toBe('in_progress');
		});

		it('that ran out are handed to nobody on their own: the record waits for a person', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const before = await ledger.record(claim.key);
			const late = await ledger.claim(another(claim));
			expect(late).toMatchObject({ outcome: 'needs_review', detail: null });
			expect(late.record).toMatchObject({
				state: 'needs_review',
				reason: 'lease_expired',
				token: claim.token,
				attempt: 1,
				leaseExpiresAt: null,
				expiresAt: null,
				revision: before.revision + 1,
			});
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'needs_review', record: { counters: { duplicates: 1 } } });
		});

		it.each([
			['review', 'take_over'],
			['take_over', 'review'],
			['review', 'review'],
		] as const)('stored as %s and claimed as %s are not taken over', async (storedPolicy, arriving) => {
			const claim = aClaim({ policy: storedPolicy });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const answer = await ledger.claim(another(claim, { policy: arriving }));
			expect(answer).toMatchObject({ outcome: 'needs_review', record: { reason: 'lease_expired' } });
		});

		it('are taken over where both sides allow it, and the ledger remembers the unknown outcome', async () => {
			const claim = aClaim({ policy: 'take_over', correlationId: 'first', retentionSeconds: 60 });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const next = another(claim, { leaseMs: 5_000, correlationId: 'second', maxAttempts: 99, retentionSeconds: 0 });
			const taken = await ledger.claim(next);
			expect(taken).toMatchObject({
				outcome: 'claimed',
				detail: 'takeover',
				record: {
					state: 'processing',
					token: next.token,
					attempt: 2,
					unknownEarlier: true,
					leaseExpiresAt: taken.at + 5_000,
					maxAttempts: 5,
					retentionSeconds: 60,
					correlationId: 'second',
					owner: next.owner,
					counters: { takeovers: 1 },
				},
			});
		});

		it('store the policy that arrived last: after a take-over by Review nobody takes over', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const careful = another(claim, { policy: 'review' });
			expect(await ledger.claim(careful)).toMatchObject({ outcome: 'claimed', record: { policy: 'review' } });
			await ledger.pass(claim.key, HOUR);
			expect((await ledger.claim(another(claim))).outcome).toBe('needs_review');
		});

		it('are not taken over when no attempts are left', async () => {
			const claim = aClaim({ policy: 'take_over', maxAttempts: 1 });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'needs_review', record: { reason: 'lease_expired' } });
		});

		it('stalled job: the one that was taken over cannot seal, whatever it says', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const next = another(claim);
			await ledger.claim(next);
			expect(await ledger.seal(aSeal(claim, 'permanent'))).toMatchObject({
				outcome: 'stale',
				record: { state: 'processing', token: next.token, counters: { staleSeals: 1 } },
			});
		});

		it('that ran out unnoticed do not keep the holder from sealing', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.seal(aSeal(claim))).toMatchObject({ outcome: 'sealed', record: { state: 'succeeded' } });
		});

		it('that went to review do not keep the holder from sealing either', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			await ledger.claim(another(claim));
			expect(await ledger.seal(aSeal(claim, 'success', { result: 1 }))).toMatchObject({
				outcome: 'sealed',
				record: { state: 'succeeded', reason: null, result: 1 },
			});
		});

		it('have nothing to do with retention: a crashed claim blocks for its lease, not for a day', async () => {
			const claim = aClaim({ leaseMs: 60 * SECOND, retentionSeconds: 86_400, policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, 2 * 60 * SECOND);
			expect((await ledger.claim(another(claim))).outcome).toBe('claimed');
		});
	});
}
