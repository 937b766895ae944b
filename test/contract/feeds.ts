import { changesOf, FEEDS, positionOf } from '../../ledger/core/feed';
import type { ChangesQuery, Feed } from '../../ledger/core/feed';
import type { LedgerRecord } from '../../ledger/core/record';
import { HOUR, SECOND, aClaim, aRecord, aSeal } from '../support/builders';
import type { Subject } from '../support/subject';
import { SHAPES } from './cells/shapes';
import { usingLedger } from './ledger';
import type { TestLedger } from './ledger';

const keysOf = (records: LedgerRecord[]) => records.map(({ key }) => key);

/** All of a feed, page by page. */
async function readAll(ledger: TestLedger, query: Partial<ChangesQuery> & { feed: Feed }): Promise<LedgerRecord[]> {
	const found: LedgerRecord[] = [];
	let after = query.after ?? null;
	for (;;) {
		const page = await ledger.store.changes({ limit: 100, ...query, after });
		found.push(...page.records);
		if (page.next === null) return found;
		after = page.next;
	}
}

/** What a watcher is told of: each record in its feed, in the order of the feed's time, and of nothing else. */
export function describeFeeds(subject: Subject): void {
	describe('feeds', () => {
		const ledger = usingLedger(subject, 'each');

		it('hold every kind of record as specified, in order, whatever the page size', async () => {
			const now = await ledger.now();
			const records = SHAPES.flatMap((shape, number) => shape.build(number, now) ?? []);
			// Many share a time: the key decides then.
			await Promise.all(records.map((record) => ledger.put(record)));
			for (const feed of FEEDS) {
				const specified = changesOf(records, { feed, after: null, limit: 1_000 }, now);
				expect(specified.records.length).toBeGreaterThan(3);
				for (const limit of [7, 1_000]) expect(await readAll(ledger, { feed, limit })).toEqual(specified.records);
			}
		}, 60_000);

		it('of an empty ledger end at once, with the clock', async () => {
			for (const feed of FEEDS) {
				const page = await ledger.store.changes({ feed, after: null, limit: 1 });
				expect(page).toMatchObject({ records: [], next: null });
				expect(page.settled).toBeLessThanOrEqual(page.at);
				expect(Math.abs(page.settled - Date.now())).toBeLessThan(60_000);
			}
		});

		it('narrow by operation and scope, and go on after a place', async () => {
			const now = await ledger.now();
			const review = (age: number, changes: Partial<LedgerRecord>) => aRecord(now, { state: 'needs_review', reason: 'unknown', updatedAt: now - age, ...changes });
			const records = [review(5, {}), review(4, { operation: 'mail' }), review(3, { scope: 'acme' }), review(2, { operation: 'mail', scope: 'acme' })];
			for (const record of [...records].reverse()) await ledger.put(record);
			const keys = async (query: Partial<ChangesQuery>) => keysOf(await readAll(ledger, { feed: 'review', ...query }));
			expect(await keys({})).toEqual(keysOf(records));
			expect(await keys({ operation: 'mail' })).toEqual(keysOf([records[1], records[3]]));
			expect(await keys({ scope: 'acme' })).toEqual(keysOf([records[2], records[3]]));
			expect(await keys({ operation: 'mail', scope: 'acme' })).toEqual(keysOf([records[3]]));
			expect(await keys({ after: positionOf(records[1]) })).toEqual(keysOf([records[2], records[3]]));
			expect(await keys({ after: { at: now - 4, key: '' } })).toEqual(keysOf([records[1], records[2], records[3]]));
			expect(await keys({ operation: 'mail', limit: 1 })).toEqual(keysOf([records[1], records[3]]));
		});

		it('tell of leases and retries only when they have been due for so long', async () => {
			const now = await ledger.now();
			const lapsed = aRecord(now, { policy: 'take_over', leaseExpiresAt: now - HOUR });
			const overdue = aRecord(now, { state: 'retryable_failed', reason: 'retryable', retryAt: now - HOUR });
			await ledger.put(lapsed);
			await ledger.put(overdue);
			await ledger.put(aRecord(now, { policy: 'take_over', leaseExpiresAt: now + HOUR }));
			await ledger.put(aRecord(now, { state: 'retryable_failed', reason: 'retryable', retryAt: now + HOUR }));
			for (const [feed, record] of [['lapsed', lapsed], ['overdue', overdue]] as const) {
				expect(await readAll(ledger, { feed })).toEqual([record]);
				expect(await readAll(ledger, { feed, dueForMs: HOUR - 60 * SECOND })).toEqual([record]);
				expect(await readAll(ledger, { feed, dueForMs: HOUR + 60 * SECOND })).toEqual([]);
			}
		});

		it('a record moves to the end when it changes, and leaves when it is settled', async () => {
			const claims = [aClaim(), aClaim(), aClaim()];
			for (const claim of claims) {
				await ledger.claim(claim);
				await ledger.seal(aSeal(claim, 'unknown'));
				await ledger.pass(claim.key, HOUR);
			}
			await ledger.seal(aSeal(claims[0], 'success'));
			await ledger.seal(aSeal(claims[1], 'permanent', { rerun: true }));
			expect(keysOf(await readAll(ledger, { feed: 'review' }))).toEqual([claims[2].key, claims[1].key]);
		});

		it('what every command leaves is in its feed, and nowhere else', async () => {
			const [held, retried, failed, unknown, renewed] = Array.from({ length: 5 }, () => aClaim({ policy: 'take_over', leaseMs: 1 }));
			for (const claim of [held, retried, failed, unknown, renewed]) await ledger.claim(claim);
			await ledger.seal(aSeal(retried, 'retryable'));
			await ledger.seal(aSeal(failed, 'permanent'));
			await ledger.seal(aSeal(unknown, 'unknown'));
			await ledger.extend({ key: renewed.key, token: renewed.token, attempt: 1, extendMs: HOUR });
			await ledger.now();
			await new Promise((resolve) => setTimeout(resolve, 20));
			const feeds = await Promise.all(FEEDS.map(async (feed) => [feed, keysOf(await readAll(ledger, { feed }))]));
			expect(Object.fromEntries(feeds)).toEqual({ review: [unknown.key], failed: [failed.key], lapsed: [held.key], overdue: [retried.key] });
		});

		it('leave out what is over, purged or not', async () => {
			const now = await ledger.now();
			const failed = aRecord(now, { state: 'permanent_failed', reason: 'permanent', completedAt: now - HOUR, expiresAt: now - SECOND });
			await ledger.put(failed);
			expect(await readAll(ledger, { feed: 'failed' })).toEqual([]);
			await ledger.store.purge(100);
			expect(await readAll(ledger, { feed: 'failed' })).toEqual([]);
		});

		it.each([0, 1_001, 1.5])('refuse a limit of %d', async (limit) => {
			await expect(ledger.store.changes({ feed: 'review', after: null, limit })).rejects.toMatchObject({ name: 'LedgerError', code: 'INVALID_PARAMETER' });
		});
	});
}
