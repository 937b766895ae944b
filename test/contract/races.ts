import type { LedgerStore } from '../../ledger/core/store';
import { HOUR, aClaim, aSeal, anExtend, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeRaces(subject: Subject): void {
	describe('races', () => {
		const ledger = usingLedger(subject);
		let clients: LedgerStore[];
		beforeAll(async () => {
			clients = [ledger.store, await ledger.another(), await ledger.another(), await ledger.another()];
			// Connect first, so that the calls below leave at the same moment.
			await Promise.all(clients.map((client) => client.get(['races:nothing'])));
		});
		afterAll(() => Promise.all(clients.slice(1).map((client) => client.close())));

		it.each([2, 3, 20])('of %i callers for one key: exactly one is claimed, the others are told who holds it', async (callers) => {
			for (let round = 0; round < 5; round += 1) {
				const claim = aClaim();
				const answers = await Promise.all(
					Array.from({ length: callers }, async (_, index) => (await clients[index % clients.length].claim([another(claim)]))[0]),
				);
				const [granted, ...more] = answers.filter(({ outcome }) => outcome === 'claimed');
				expect(more).toEqual([]);
				expect(answers.filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(callers - 1);
				const holder = granted.record!.token;
				expect(answers.every(({ record }) => record?.token === holder)).toBe(true);
				expect(await ledger.record(claim.key)).toMatchObject({ token: holder, attempt: 1, counters: { duplicates: callers - 1 } });
			}
		});

		it('of twenty callers for one lease that ran out: one takes over', async () => {
			const claim = aClaim({ policy: 'take_over' });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			const answers = await Promise.all(
				Array.from({ length: 20 }, async (_, index) => (await clients[index % clients.length].claim([another(claim)]))[0]),
			);
			expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
			expect(await ledger.record(claim.key)).toMatchObject({ attempt: 2, counters: { takeovers: 1, duplicates: 19 } });
		});

		it('of twenty callers for one retry that is due: one gets it', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const answers = await Promise.all(
				Array.from({ length: 20 }, async (_, index) => (await clients[index % clients.length].claim([another(claim)]))[0]),
			);
			expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
			expect((await ledger.record(claim.key)).attempt).toBe(2);
		});

		it('of two writers of different payloads: one is claimed, the other a conflict', async () => {
			for (let round = 0; round < 5; round += 1) {
				const claim = aClaim({ fingerprint: 'v1:a', fingerprintFields: '["x"]' });
				const answers = await Promise.all([
					clients[1].claim([claim]),
					clients[2].claim([another(claim, { fingerprint: 'v1:b' })]),
				]);
				expect(answers.map(([{ outcome }]) => outcome).sort()).toEqual(['claimed', 'conflict']);
			}
		});

		it('between a seal and claims: nothing is claimed, before or after', async () => {
			for (let round = 0; round < 10; round += 1) {
				const claim = aClaim();
				await ledger.claim(claim);
				const [seal, ...claims] = await Promise.all([
					clients[0].seal([aSeal(claim, 'success', { result: round })]),
					...clients.slice(1).map((client) => client.claim([another(claim)])),
				]);
				expect(seal[0].outcome).toBe('sealed');
				for (const [{ outcome, record }] of claims) {
					expect(outcome).toBe(record!.state === 'succeeded' ? 'succeeded' : 'in_progress');
				}
			}
		});

		it('between a late seal and a take-over: whoever comes second learns of the first', async () => {
			for (let round = 0; round < 10; round += 1) {
				const claim = aClaim({ policy: 'take_over' });
				await ledger.claim(claim);
				await ledger.pass(claim.key, HOUR);
				const [[seal], [takeover]] = await Promise.all([clients[1].seal([aSeal(claim)]), clients[2].claim([another(claim)])]);
				const pair = [seal.outcome, takeover.outcome];
				expect([['sealed', 'succeeded'], ['stale', 'claimed']]).toContainEqual(pair);
				if (seal.outcome === 'stale') expect((await ledger.record(claim.key)).lateSuccesses).toHaveLength(1);
			}
		});

		it('between an extension and a take-over: the lease is prolonged or lost, never both', async () => {
			for (let round = 0; round < 10; round += 1) {
				const claim = aClaim({ policy: 'take_over' });
				await ledger.claim(claim);
				await ledger.pass(claim.key, HOUR);
				const [[extended], [takeover]] = await Promise.all([clients[1].extend([anExtend(claim)]), clients[2].claim([another(claim)])]);
				expect([['extended', 'in_progress'], ['stale', 'claimed']]).toContainEqual([extended.outcome, takeover.outcome]);
			}
		});

		it('between counters: none is lost', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await Promise.all(Array.from({ length: 100 }, (_, index) => clients[index % clients.length].claim([another(claim)])));
			expect((await ledger.record(claim.key)).counters.duplicates).toBe(100);
		});
	});
}
