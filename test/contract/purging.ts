import { DAY, HOUR, aRecord } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describePurging(subject: Subject): void {
	describe('purging', () => {
		const ledger = usingLedger(subject, 'each');

		it('removes what is over, and nothing else', async () => {
			const now = await ledger.now();
			const over = { completedAt: now - DAY, expiresAt: now - HOUR };
			const kept = [
				aRecord(now, { state: 'succeeded', completedAt: now - DAY, expiresAt: now + HOUR }),
				aRecord(now, { state: 'succeeded', completedAt: now - DAY, expiresAt: null }),
				aRecord(now, { state: 'processing', leaseExpiresAt: now - DAY }),
				aRecord(now, { state: 'retryable_failed', retryAt: now - DAY }),
				aRecord(now, { state: 'needs_review', reason: 'unknown' }),
				aRecord(now, { state: 'processing', ephemeral: true, expiresAt: now + HOUR }),
			];
			for (const record of kept) await ledger.put(record);
			await ledger.put(aRecord(now, { state: 'succeeded', ...over }));
			await ledger.put(aRecord(now, { state: 'permanent_failed', ...over }));
			await ledger.put(aRecord(now, { state: 'processing', ephemeral: true, expiresAt: now - HOUR }));
			await ledger.store.purge(100);
			expect(await ledger.store.purge(100)).toBe(0);
			const { records } = await ledger.store.get(kept.map(({ key }) => key));
			expect(records).toEqual(kept);
			expect((await ledger.store.list({ limit: 100 })).records).toHaveLength(kept.length);
		});

		it('takes small steps, and may be done by several at once', async () => {
			const now = await ledger.now();
			for (let index = 0; index < 12; index += 1) {
				await ledger.put(aRecord(now, { state: 'succeeded', completedAt: now - DAY, expiresAt: now - HOUR }));
			}
			// A store whose server forgets by itself has nothing left to remove: at most, never more.
			expect(await ledger.store.purge(5)).toBeLessThanOrEqual(5);
			const other = await ledger.another();
			const [one, two] = await Promise.all([ledger.store.purge(100), other.purge(100)]);
			expect(one + two).toBeLessThanOrEqual(12);
			await other.close();
			expect(await ledger.store.purge(100)).toBe(0);
			expect((await ledger.store.list({ limit: 100 })).records).toEqual([]);
			expect((await ledger.store.statistics()).operations.every(({ states }) => states.succeeded === 0)).toBe(true);
		});
	});
}
