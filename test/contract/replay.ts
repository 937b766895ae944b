import { aClaim, aRelease, aSeal, anExtend, anOwner, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeReplay(subject: Subject): void {
	describe('replay', () => {
		const ledger = usingLedger(subject);

		it('gives every later claim the stored result, and never claims again', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'success', { result: { id: 7 }, externalId: 'ch_7' }));
			for (let duplicates = 1; duplicates <= 3; duplicates += 1) {
				const replay = await ledger.claim(another(claim, { policy: 'take_over' }));
				expect(replay).toMatchObject({ outcome: 'succeeded', detail: null });
				expect(replay.record).toEqual({ ...record, counters: { ...record!.counters, duplicates } });
			}
		});

		it('answers a sender who repeats before the 200 with In Progress, afterwards with the result', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			expect((await ledger.claim(another(claim))).outcome).toBe('in_progress');
			await ledger.seal(aSeal(claim, 'success', { result: 'paid' }));
			expect(await ledger.claim(another(claim))).toMatchObject({ outcome: 'succeeded', record: { result: 'paid' } });
		});

		it('replays to the very run that succeeded: its own token gets no second effect', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim));
			expect((await ledger.claim(claim)).outcome).toBe('succeeded');
		});

		it('replays copies that differ in text that was not fingerprinted', async () => {
			const claim = aClaim({ fingerprint: 'v1:of-amount', fingerprintFields: '["amount"]' });
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'success', { result: 1 }));
			expect((await ledger.claim(another(claim))).outcome).toBe('succeeded');
		});

		it('replays across workflows: an old and a new version that fire together are one', async () => {
			const old = aClaim({ owner: anOwner({ workflowId: 'old', workflowName: 'v1' }) });
			await ledger.claim(old);
			const young = another(old, { owner: anOwner({ workflowId: 'new', workflowName: 'v2', executionId: '9' }) });
			expect((await ledger.claim(young)).outcome).toBe('in_progress');
			await ledger.seal(aSeal(old));
			expect((await ledger.claim(young)).outcome).toBe('succeeded');
		});

		it('stores one mail of eighteen deliveries', async () => {
			const mail = aClaim();
			const outcomes: string[] = [];
			for (let delivery = 0; delivery < 18; delivery += 1) {
				const delivered = another(mail);
				const { outcome } = await ledger.claim(delivered);
				outcomes.push(outcome);
				if (outcome === 'claimed') await ledger.seal(aSeal(delivered));
			}
			expect(outcomes).toEqual(['claimed', ...Array<string>(17).fill('succeeded')]);
			expect((await ledger.record(mail.key)).counters.duplicates).toBe(17);
		});

		it('replays items 1 and 2 of a batch that failed at 3, claims 3 again, and 4 and 5 for the first time', async () => {
			const items = Array.from({ length: 5 }, () => aClaim());
			await ledger.store.claim(items.slice(0, 3));
			await ledger.store.seal([aSeal(items[0]), aSeal(items[1]), aSeal(items[2], 'retryable')]);
			const again = await ledger.store.claim(items.map((item) => another(item)));
			expect(again.map(({ outcome, detail }) => [outcome, detail])).toEqual([
				['succeeded', null],
				['succeeded', null],
				['claimed', 'retry'],
				['claimed', 'first'],
				['claimed', 'first'],
			]);
		});

		it('never sends items 3 and 5 again that the remote took while the client saw a time-out', async () => {
			const items = Array.from({ length: 5 }, () => aClaim());
			await ledger.store.claim(items);
			await ledger.store.seal(items.map((item, index) => aSeal(item, index === 2 || index === 4 ? 'unknown' : 'success')));
			const again = await ledger.store.claim(items.map((item) => another(item, { policy: 'take_over' })));
			expect(again.map(({ outcome }) => outcome)).toEqual([
				'succeeded',
				'succeeded',
				'needs_review',
				'succeeded',
				'needs_review',
			]);
		});

		it('keeps what was settled from any later word, extension or release of its holder', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'success', { result: 'kept' }));
			for (const word of ['retryable', 'permanent', 'unknown', 'unknown_retryable'] as const) {
				expect(await ledger.seal(aSeal(claim, word, { result: 'lost' }))).toMatchObject({ outcome: 'already_sealed', record });
			}
			expect((await ledger.extend(anExtend(claim))).outcome).toBe('already_sealed');
			expect((await ledger.release(aRelease(claim))).outcome).toBe('already_sealed');
			expect(await ledger.read(claim.key)).toEqual(record);
		});
	});
}
