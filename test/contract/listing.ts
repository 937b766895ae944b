import type { LedgerRecord } from '../../ledger/core/record';
import type { ListQuery } from '../../ledger/core/store';
import { HOUR, SECOND, aClaim, aRecord, aSeal, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';
import type { TestLedger } from './ledger';

async function fill(ledger: TestLedger): Promise<LedgerRecord[]> {
	const now = await ledger.now();
	const record = (age: number, changes: Partial<LedgerRecord>) =>
		aRecord(now, { createdAt: now - age * HOUR, updatedAt: now - age * HOUR, ...changes });
	const records = [
		record(9, { state: 'processing', leaseExpiresAt: now + HOUR, scope: 'acme', correlationId: 'trace-1' }),
		record(8, { state: 'processing', leaseExpiresAt: now - SECOND, operation: 'mail' }),
		record(7, { state: 'succeeded', externalId: 'ch_1', correlationId: 'trace-1', expiresAt: now + HOUR }),
		record(6, { state: 'succeeded', externalId: 'ch_1', operation: 'mail', scope: 'acme', expiresAt: null }),
		record(5, { state: 'retryable_failed', retryAt: now + HOUR }),
		record(4, { state: 'needs_review', reason: 'unknown', operation: 'mail', updatedAt: now - 10 * SECOND }),
		record(3, { state: 'permanent_failed', reason: 'permanent', expiresAt: now + HOUR }),
	];
	// Written in another order than they were made.
	for (const one of [...records].reverse()) await ledger.put(one);
	return records;
}

async function allPages(ledger: TestLedger, query: ListQuery): Promise<LedgerRecord[][]> {
	const pages: LedgerRecord[][] = [];
	for (let cursor: string | null | undefined; cursor !== null && pages.length < 100; ) {
		const page = await ledger.store.list({ ...query, cursor });
		pages.push(page.records);
		cursor = page.nextCursor;
	}
	return pages;
}

export function describeListing(subject: Subject): void {
	describe('listing', () => {
		const ledger = usingLedger(subject, 'each');

		it('gives whole records, oldest first, and no cursor on the last page', async () => {
			const records = await fill(ledger);
			const page = await ledger.store.list({ limit: 100 });
			expect(page.records).toEqual(records);
			expect(page.nextCursor).toBeNull();
			expect(Math.abs(page.at - Date.now())).toBeLessThan(60_000);
		});

		it('of an empty ledger is an empty last page', async () => {
			expect(await ledger.store.list({ limit: 1 })).toMatchObject({ records: [], nextCursor: null });
		});

		it('narrows by every filter, alone and together', async () => {
			await fill(ledger);
			const ages: Array<[Partial<ListQuery>, number[]]> = [
				[{ states: ['processing'] }, [9, 8]],
				[{ states: ['succeeded', 'needs_review'] }, [7, 6, 4]],
				[{ states: [] }, []],
				[{ operation: 'mail' }, [8, 6, 4]],
				[{ operation: 'none of these' }, []],
				[{ scope: 'acme' }, [9, 6]],
				[{ externalId: 'ch_1' }, [7, 6]],
				[{ externalId: 'ch_1', operation: 'mail' }, [6]],
				[{ correlationId: 'trace-1' }, [9, 7]],
				[{ stuck: true }, [8]],
				[{ stuck: true, operation: 'charge_card' }, []],
				[{ stuck: false }, [9, 8, 7, 6, 5, 4, 3]],
				[{ unchangedForMs: 5 * HOUR }, [9, 8, 7, 6, 5]],
				[{ unchangedForMs: 0 }, [9, 8, 7, 6, 5, 4, 3]],
				[{ states: ['succeeded'], scope: 'acme', unchangedForMs: HOUR }, [6]],
				[{ states: ['succeeded'], correlationId: 'trace-1', externalId: 'ch_1' }, [7]],
			];
			for (const [query, expected] of ages) {
				const { records, at } = await ledger.store.list({ limit: 100, ...query });
				expect([query, records.map(({ createdAt }) => Math.floor((at - createdAt) / HOUR))]).toEqual([query, expected]);
				const pages = await allPages(ledger, { limit: 1, ...query });
				expect(pages.flat()).toEqual(records);
			}
		});

		it('pages by a cursor, without a gap or an overlap, also where many were made in one millisecond', async () => {
			const createdAt = (await ledger.now()) - HOUR;
			const keys = Array.from({ length: 25 }, (_, index) => `page:${String(index).padStart(2, '0')}`);
			for (const key of [...keys].sort(() => 0.5 - Math.random())) await ledger.put(aRecord(createdAt + HOUR, { key, createdAt }));
			const pages = await allPages(ledger, { limit: 10 });
			expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
			expect(pages.flat().map(({ key }) => key)).toEqual(keys);
			// A full last page is known to be the last.
			expect((await allPages(ledger, { limit: 5 })).map((page) => page.length)).toEqual([5, 5, 5, 5, 5]);
		});

		it('orders keys of one millisecond by their characters, not by a language', async () => {
			const createdAt = (await ledger.now()) - HOUR;
			const keys = ['B:1', 'a:1', 'a:10', 'a:2', 'a@x:1', 'a#:1', 'a%3A:1', 'Ab:1', 'a~:1', 'a_:1', 'a-:1'];
			for (const key of keys) await ledger.put(aRecord(createdAt + HOUR, { key, createdAt }));
			const { records } = await ledger.store.list({ limit: 100 });
			expect(records.map(({ key }) => key)).toEqual([...keys].sort());
			expect((await allPages(ledger, { limit: 1 })).flat().map(({ key }) => key)).toEqual([...keys].sort());
		});

		it('keeps its place while records change, go and come', async () => {
			const claims = Array.from({ length: 9 }, (_, index) => aClaim({ key: `stable:${index}` }));
			for (const claim of claims) await ledger.claim(claim);
			for (const [index, claim] of claims.entries()) await ledger.pass(claim.key, (20 - index) * HOUR);
			const first = await ledger.store.list({ limit: 3 });
			await ledger.seal(aSeal(claims[0]));
			await ledger.claim(another(claims[2]));
			await ledger.seal(aSeal(claims[4], 'unknown'));
			await ledger.claim(aClaim({ key: 'stable:new' }));
			const second = await ledger.store.list({ limit: 3, cursor: first.nextCursor! });
			const third = await ledger.store.list({ limit: 5, cursor: second.nextCursor! });
			const keys = [first, second, third].flatMap(({ records }) => records.map(({ key }) => key));
			expect(keys).toEqual([...claims.map(({ key }) => key), 'stable:new']);
			expect(second.records[1].state).toBe('needs_review');
		});

		it('changes nothing', async () => {
			const [record] = await fill(ledger);
			await ledger.store.list({ limit: 100 });
			await ledger.store.statistics();
			expect(await ledger.read(record.key)).toEqual(record);
		});

		it.each([0, -1, 1.5, 1_001, Number.NaN])('refuses a limit of %d', async (limit) => {
			await expect(ledger.store.list({ limit })).rejects.toMatchObject({ name: 'LedgerError', code: 'INVALID_PARAMETER' });
		});

		it.each(['', 'nonsense', '!!', 'W10', 'WyJhIiwiYiJd', Buffer.from('[1,"a",2]').toString('base64url')])('refuses a cursor %j it never gave', async (cursor) => {
			await expect(ledger.store.list({ limit: 1, cursor })).rejects.toMatchObject({ name: 'LedgerError', code: 'INVALID_CURSOR' });
		});
	});
}
