import { LEDGER_STATES } from '../../ledger/core/states';
import { statisticsOf } from '../../ledger/core/statistics';
import { DAY, HOUR, SECOND, aClaim, aRecord, aRelease, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeStatistics(subject: Subject): void {
	describe('statistics', () => {
		const ledger = usingLedger(subject, 'each');

		it('of an empty ledger name no operation', async () => {
			expect((await ledger.store.statistics()).operations).toEqual([]);
		});

		it('count records and counters by operation, alphabetically, with ages', async () => {
			const now = await ledger.now();
			const records = ['mail', 'charge', 'Zeta'].flatMap((operation, place) =>
				LEDGER_STATES.flatMap((state, index) =>
					Array.from({ length: 1 + ((index + place) % 3) }, (_, more) =>
						aRecord(now, {
							operation,
							key: `${operation}:${state}:${more}`,
							state,
							updatedAt: now - (index + more + 1) * HOUR - more,
							leaseExpiresAt: state === 'processing' ? now + (more === 0 ? -SECOND : HOUR) : null,
							expiresAt: state === 'succeeded' ? now + HOUR : null,
							counters: { duplicates: more, conflicts: place, takeovers: index, staleSeals: 1 },
						}),
					),
				),
			);
			for (const record of records) await ledger.put(record);
			await ledger.put(aRecord(now, { operation: 'over', state: 'succeeded', completedAt: now - DAY, expiresAt: now - 1 }));
			const got = await ledger.store.statistics();
			expect(got.operations.filter(({ operation }) => operation !== 'over')).toEqual(statisticsOf(records, got.at).operations);
			expect(got.operations.map(({ operation }) => operation)).toEqual(['Zeta', 'charge', 'mail']);
		});

		it('follow every change', async () => {
			const claims = Array.from({ length: 6 }, () => aClaim());
			await ledger.store.claim(claims);
			await ledger.store.claim(claims.map((claim) => another(claim)));
			await ledger.store.seal([aSeal(claims[0]), aSeal(claims[1], 'retryable'), aSeal(claims[2], 'permanent'), aSeal(claims[3], 'unknown')]);
			await ledger.release(aRelease(claims[4]));
			await ledger.seal(aSeal(another(claims[5]), 'permanent'));
			const { operations, at } = await ledger.store.statistics();
			const { records } = await ledger.store.list({ limit: 100 });
			expect(operations).toEqual(statisticsOf(records, at).operations);
			expect(operations).toMatchObject([
				{
					operation: 'charge_card',
					states: { processing: 1, succeeded: 1, retryable_failed: 1, permanent_failed: 1, needs_review: 1 },
					// The released one took its duplicate with it.
					duplicates: 5,
					staleSeals: 1,
					stuck: 0,
				},
			]);
		});
	});
}
