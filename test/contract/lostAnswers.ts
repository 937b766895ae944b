import { HOUR, aClaim, aDecision, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeLostAnswers(subject: Subject): void {
	describe('lost answers', () => {
		const ledger = usingLedger(subject);

		it('a claim repeated under its own token (Retry On Fail) gets its claim back, with a new lease', async () => {
			const claim = aClaim({ leaseMs: 60_000 });
			const { record } = await ledger.claim(claim);
			await ledger.pass(claim.key, 30_000);
			const again = await ledger.claim(claim);
			expect(again).toMatchObject({ outcome: 'claimed', detail: 'own' });
			expect(again.record).toMatchObject({ attempt: 1, token: claim.token, leaseExpiresAt: again.at + 60_000, revision: record!.revision + 1, counters: { duplicates: 0, takeovers: 0 } });
		});

		it('also when the lease has run out and nobody took it', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.claim(claim)).toMatchObject({ outcome: 'claimed', detail: 'own', record: { attempt: 1, unknownEarlier: false } });
		});

		it('also for a retry: the answer to the second attempt was lost', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const next = another(claim);
			await ledger.claim(next);
			expect(await ledger.claim(next)).toMatchObject({ outcome: 'claimed', detail: 'own', record: { attempt: 2 } });
		});

		it('but not once it was taken over', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			await ledger.claim(another(claim));
			expect((await ledger.claim(claim)).outcome).toBe('in_progress');
		});

		it.each(['success', 'retryable', 'permanent', 'unknown'] as const)('nor after it was sealed %s: its own token is never claimed again', async (word) => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, word));
			const outcome = { success: 'succeeded', retryable: 'in_progress', permanent: 'needs_review', unknown: 'needs_review' }[word];
			expect((await ledger.claim(claim)).outcome).toBe(outcome);
		});

		it('nor when a person allowed a retry meanwhile: that is for another run', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'unknown'));
			await ledger.resolve(aDecision(record!, 'retry'));
			expect((await ledger.claim(claim)).outcome).toBe('in_progress');
		});

		it('a batch whose answer was lost can be sent again as it is', async () => {
			const claims = Array.from({ length: 20 }, () => aClaim());
			await ledger.store.claim(claims);
			const again = await ledger.store.claim(claims);
			expect(again.map(({ outcome, detail }) => `${outcome} ${detail}`)).toEqual(Array(20).fill('claimed own'));
			const seals = claims.map((claim) => aSeal(claim, 'success', { result: claim.key }));
			await ledger.store.seal(seals);
			const sealed = await ledger.store.seal(seals);
			expect(sealed.map(({ outcome, detail }) => `${outcome} ${detail}`)).toEqual(Array(20).fill('sealed again'));
		});

		it('two clients that send the same claim at the same time hold one claim', async () => {
			const claim = aClaim();
			const other = await ledger.another();
			const answers = await Promise.all([ledger.store.claim([claim]), other.claim([claim])]);
			await other.close();
			expect(answers.map(([{ detail }]) => detail).sort()).toEqual(['first', 'own']);
			expect((await ledger.record(claim.key)).attempt).toBe(1);
		});
	});
}
