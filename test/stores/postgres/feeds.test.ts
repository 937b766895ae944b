import type { Client } from 'pg';

import { FEED_BEGINNING, readFeed } from '../../../ledger/core/feedReader';
import type { FeedCursor } from '../../../ledger/core/feedReader';
import type { ChangesQuery } from '../../../ledger/core/feed';
import type { LedgerStore } from '../../../ledger/core/store';
import { namesOf } from '../../../ledger/stores/postgres/identifiers';
import { changesValues } from '../../../ledger/stores/postgres/reading';
import { statements } from '../../../ledger/stores/postgres/statements.generated';
import { aRecord } from '../../support/builders';
import { postgresClient, recordsTable } from '../../support/subjects/postgres';
import { aClaim, aSeal } from './commands';
import { ledgerAt } from './ledgerAt';
import type { Ledger } from './ledgerAt';

let ledger: Ledger;
let store: LedgerStore;
let other: Client;
beforeEach(async () => {
	ledger = await ledgerAt();
	store = ledger.store();
	other = await postgresClient(ledger.settings);
});
afterEach(async () => {
	await other.end();
	await ledger.close();
});

/** Reads on with no overlap to help; keys of what was told. */
function reader(): () => Promise<string[]> {
	let cursor: FeedCursor = { after: FEED_BEGINNING, seen: {} };
	return async () => {
		const reading = await readFeed(
			(after, limit) => store.changes({ feed: 'review', after, limit }),
			cursor,
			{ limit: 100, dueForMs: 0, accepts: () => true, overlapMs: 0 },
		);
		cursor = reading.cursor;
		return reading.records.map(({ key }) => key);
	};
}

const toReview = async (key: string) => {
	await store.claim([aClaim(key)]);
	await store.seal([aSeal(key, { word: 'unknown' })]);
};

test('a change that commits long after later ones is told of all the same', async () => {
	const read = reader();
	await store.claim([aClaim('op:slow'), aClaim('op:fast')]);
	await other.query('BEGIN');
	await other.query(`UPDATE ${recordsTable(ledger.settings)} SET state = 'needs_review', reason = 'unknown', revision = 2, lease_expires_at = NULL, updated_at = clock_timestamp() WHERE key = 'op:slow'`);
	await new Promise((resolve) => setTimeout(resolve, 50));
	await toReview('op:later');
	expect(await read()).toEqual(['op:later']);
	await toReview('op:fast');
	expect(await read()).toEqual(['op:fast']);
	expect(await read()).toEqual([]);
	await other.query('COMMIT');
	expect(await read()).toEqual(['op:slow']);
	expect(await read()).toEqual([]);
});

test('settled is no later than a transaction that may still change the table, whoever reads or vacuums it', async () => {
	await toReview('op:1');
	const settled = async () => (await store.changes({ feed: 'review', after: null, limit: 1 })).settled;
	// A reader, however long it has been open, holds nothing up.
	await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
	await other.query(`SELECT FROM ${recordsTable(ledger.settings)}`);
	await new Promise((resolve) => setTimeout(resolve, 60));
	const free = await settled();
	expect(Date.now() - free).toBeLessThan(50);
	await other.query('COMMIT');
	await other.query('BEGIN');
	const { rows } = await other.query('SELECT extract(epoch FROM now()) * 1000 AS began');
	await other.query(`UPDATE ${recordsTable(ledger.settings)} SET duplicates = 1`);
	await new Promise((resolve) => setTimeout(resolve, 60));
	expect(await settled()).toBe(Math.floor(Number(rows[0].began)));
	await other.query('ROLLBACK');
	expect(await settled()).toBeGreaterThan(Number(rows[0].began));
});

test('another role’s transactions, whose beginning is hidden, count as five minutes old', async () => {
	const role = `watcher_${ledger.settings.schema}`;
	await toReview('op:1');
	await other.query(`CREATE ROLE ${role} LOGIN PASSWORD 'watcher'`);
	await other.query(`GRANT USAGE ON SCHEMA ${ledger.settings.schema} TO ${role}`);
	await other.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${ledger.settings.schema} TO ${role}`);
	try {
		const watcher = ledger.store({ user: role, password: 'watcher' });
		const settled = async () => (await watcher.changes({ feed: 'review', after: null, limit: 1 })).settled;
		expect(Date.now() - (await settled())).toBeLessThan(10_000);
		await other.query('BEGIN');
		await other.query(`UPDATE ${recordsTable(ledger.settings)} SET duplicates = 1`);
		expect(Math.abs(Date.now() - 5 * 60_000 - (await settled()))).toBeLessThan(10_000);
		await other.query('COMMIT');
		await watcher.close();
	} finally {
		await other.query(`DROP OWNED BY ${role}`);
		await other.query(`DROP ROLE ${role}`);
	}
});

test('expire leaves what another session holds, and takes it the next time', async () => {
	await store.claim([aClaim('op:held', { leaseMs: 1 }), aClaim('op:free', { leaseMs: 1 })]);
	await new Promise((resolve) => setTimeout(resolve, 20));
	await other.query('BEGIN');
	await other.query(`SELECT FROM ${recordsTable(ledger.settings)} WHERE key = 'op:held' FOR UPDATE`);
	expect((await store.expire({ limit: 10, graceMs: 0 })).map(({ key }) => key)).toEqual(['op:free']);
	await other.query('COMMIT');
	expect((await store.expire({ limit: 10, graceMs: 0 })).map(({ key }) => key)).toEqual(['op:held']);
});

test('each feed, and expire, is read off an index of its own', async () => {
	await store.get([]);
	const now = Date.now();
	const states = ['needs_review', 'permanent_failed', 'processing', 'retryable_failed', 'succeeded'];
	const { createdAt } = aRecord(now);
	await other.query(
		`INSERT INTO ${recordsTable(ledger.settings)} (key, operation, business_id, state, token, attempt, max_attempts, policy, owner, created_at, updated_at, retention_seconds, lease_expires_at, retry_at)
		SELECT 'op:' || n, 'op', n, ($2::text[])[1 + n % 5], 't', 1, 5, 'take_over', '{}', to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0) + n * interval '1 ms', 0, to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0)
		FROM generate_series(1, 20000) AS n`,
		[createdAt, states],
	);
	await other.query(`ANALYZE ${recordsTable(ledger.settings)}`);
	const names = namesOf(ledger.settings);
	const indexesOf = async (sql: string, values: unknown[]): Promise<string[]> => {
		const { rows } = await other.query(`EXPLAIN (FORMAT JSON) ${names.fill(sql)}`, values);
		const plan = JSON.stringify(rows);
		expect(plan).not.toContain('Seq Scan');
		return [...plan.matchAll(/"Index Name":"([^"]*)"/g)].map(([, name]) => name.replace(ledger.settings.tablePrefix, ''));
	};
	const changes = (feed: ChangesQuery['feed']) =>
		indexesOf(statements.changes, changesValues({ feed, after: { at: createdAt, key: '' }, limit: 100 }));
	expect(await changes('review')).toEqual(['records_to_look_at']);
	expect(await changes('failed')).toEqual(['records_to_look_at']);
	expect(await changes('lapsed')).toEqual(['records_by_lease']);
	expect(await changes('overdue')).toEqual(['records_by_retry']);
	expect(await indexesOf(statements.expire, [100, 0, null, null, 1000])).toContain('records_by_lease');
});
