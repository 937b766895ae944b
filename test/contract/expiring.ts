import type { LedgerRecord } from '../../ledger/core/record';
import { decideExpire } from '../../ledger/core/transitions';
import { HOUR, SECOND, aClaim, aRecord, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { SHAPES, names } from './cells/shapes';
import { usingLedger } from './ledger';
import type { TestLedger } from './ledger';
import { recordDifferences } from './specified';

const everything = { limit: 1_000, graceMs: 0 };

async function expireAll(ledger: TestLedger, graceMs: number): Promise<LedgerRecord[]> {
	const moved: LedgerRecord[] = [];
	for (;;) {
		const some = await ledger.store.expire({ limit: 100, graceMs });
		moved.push(...some);
		if (some.length === 0) return moved;
	}
}

/** Claims that nobody comes back for: moved to review as a claim of the key would, and nothing else is. */
export function describeExpiring(subject: Subject): void {
	describe('expiring leases', () => {
		const ledger = usingLedger(subject, 'each');

		it.each([0, 2 * HOUR])('with a grace of %d ms, every kind of record becomes as specified', async (graceMs) => {
			const now = await ledger.now();
			const records = SHAPES.map((shape, number) => shape.build(number, now));
			await Promise.all(records.map((record) => record && ledger.put(record)));
			const moved = new Map((await expireAll(ledger, graceMs)).map((record) => [record.key, record]));
			expect(moved.size === 0).toBe(graceMs > 0);
			const { records: stored, at } = await ledger.store.get(records.map((_, number) => names(number).key));
			const wrong = SHAPES.flatMap(({ name }, number) => {
				const got = moved.get(names(number).key);
				const specified = decideExpire(records[number], { graceMs }, got?.updatedAt ?? at);
				const outcome = specified.outcome === (got ? 'expired' : 'kept') ? [] : [`specified ${specified.outcome}`];
				const answered = got ? recordDifferences(specified.record, got) : [];
				const lines = [...outcome, ...answered, ...recordDifferences(specified.record, stored[number])];
				return lines.length === 0 ? [] : [[name, ...lines].join('\n  ')];
			});
			expect(wrong).toEqual([]);
		}, 60_000);

		it('gives the reason a claim would have given, and one line of history', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.pass(claim.key, 20 * 60 * SECOND);
			const [record] = await ledger.store.expire(everything);
			expect(record).toMatchObject({ key: claim.key, state: 'needs_review', reason: 'lease_expired', revision: 2, leaseExpiresAt: null });
			expect(record.history[1]).toMatchObject({ from: 'processing', to: 'needs_review', note: 'lease_expired', executionId: null });
			expect(await ledger.read(claim.key)).toEqual(record);
			// The holder that comes back after all is still believed.
			expect(await ledger.seal(aSeal(claim))).toMatchObject({ outcome: 'sealed', record: { state: 'succeeded' } });
		});

		it('leaves what may still be taken over, until its attempts are used up', async () => {
			const claim = aClaim({ policy: 'take_over', maxAttempts: 2 });
			await ledger.claim(claim);
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.store.expire(everything)).toEqual([]);
			const next = another(claim);
			expect(await ledger.claim(next)).toMatchObject({ outcome: 'claimed', detail: 'takeover' });
			await ledger.pass(claim.key, HOUR);
			expect(await ledger.store.expire(everything)).toMatchObject([{ key: claim.key, reason: 'lease_expired', attempt: 2 }]);
		});

		it('longest over first, a few at a time, of one operation and scope if asked', async () => {
			const now = await ledger.now();
			const over = (minutes: number, changes: Partial<LedgerRecord> = {}) => aRecord(now, { leaseExpiresAt: now - minutes * 60 * SECOND, ...changes });
			const records = [over(1), over(5), over(3), over(9, { operation: 'mail' }), over(8, { scope: 'acme' })];
			for (const record of records) await ledger.put(record);
			const keys = async (command: Partial<typeof everything> & { operation?: string; scope?: string }) =>
				(await ledger.store.expire({ ...everything, ...command })).map(({ key }) => key);
			expect(await keys({ operation: 'nothing' })).toEqual([]);
			expect(await keys({ operation: 'mail', scope: 'acme' })).toEqual([]);
			expect(await keys({ operation: 'mail' })).toEqual([records[3].key]);
			expect(await keys({ scope: 'acme' })).toEqual([records[4].key]);
			expect(await keys({ graceMs: 4 * 60 * SECOND })).toEqual([records[1].key]);
			expect(await keys({ limit: 1 })).toEqual([records[2].key]);
			expect(await keys({})).toEqual([records[0].key]);
			expect(await keys({})).toEqual([]);
		});

		it('several at once move each record once', async () => {
			const now = await ledger.now();
			const records = Array.from({ length: 60 }, () => aRecord(now, { leaseExpiresAt: now - SECOND }));
			await Promise.all(records.map((record) => ledger.put(record)));
			const other = await ledger.another();
			const moved = await Promise.all([ledger.store, other, ledger.store, other].map((store) => store.expire(everything)));
			// What one skips because another holds it, the other moves.
			moved.push(await ledger.store.expire(everything));
			expect(moved.flat().map(({ key }) => key).sort()).toEqual(records.map(({ key }) => key).sort());
			expect((await ledger.store.get(records.map(({ key }) => key))).records.every((record) => record?.revision === 4)).toBe(true);
		});

		it('against the holder’s seal at the same time: one after the other, and the success stands', async () => {
			const now = await ledger.now();
			const records = Array.from({ length: 40 }, () => aRecord(now, { leaseExpiresAt: now - SECOND }));
			await Promise.all(records.map((record) => ledger.put(record)));
			const other = await ledger.another();
			await Promise.all([other.expire(everything), ...records.map((record) => ledger.store.seal([aSeal(record)])), other.expire(everything)]);
			const { records: after } = await ledger.store.get(records.map(({ key }) => key));
			expect(after.map((record) => record?.state)).toEqual(records.map(() => 'succeeded'));
		});

		it.each([{ limit: 0 }, { limit: 1_001 }, { limit: Number.NaN }, { graceMs: -1 }, { graceMs: Number.NaN }])('refuses %j', async (wrong) => {
			await expect(ledger.store.expire({ ...everything, ...wrong })).rejects.toMatchObject({ name: 'LedgerError', code: 'INVALID_PARAMETER' });
		});
	});
}
