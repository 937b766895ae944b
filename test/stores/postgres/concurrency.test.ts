import type { Client } from 'pg';

import { postgresClient, recordsTable } from '../../support/subjects/postgres';
import { aClaim, aSeal } from './commands';
import { databaseWith, ledgerAt, rejection } from './ledgerAt';
import type { Ledger } from './ledgerAt';

let ledger: Ledger;
let other: Client;
beforeEach(async () => {
	ledger = await ledgerAt();
	other = await postgresClient(ledger.settings);
});
afterEach(async () => {
	await other.end();
	await ledger.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const keys = (count: number) => Array.from({ length: count }, (_one, index) => `op:${String(index).padStart(3, '0')}`);
const reversed = <Value>(list: Value[]) => [...list].reverse();

/** Hold the row of a key in another session. */
async function hold(key: string): Promise<void> {
	await other.query('BEGIN');
	await other.query(`SELECT FROM ${recordsTable(ledger.settings)} WHERE key = $1 FOR UPDATE`, [key]);
}

test('many callers, one new key: one is claimed', async () => {
	const stores = [ledger.store(), ledger.store()];
	for (let round = 0; round < 20; round++) {
		const answers = await Promise.all(
			Array.from({ length: 12 }, (_one, index) => stores[index % 2].claim([aClaim(`op:${round}`, { token: `t${index}` })])),
		);
		const outcomes = answers.flat().map(({ outcome }) => outcome);
		expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
		expect(outcomes.filter((outcome) => outcome === 'in_progress')).toHaveLength(11);
	}
});

test('many callers, keys whose records are over: each is claimed anew, once', async () => {
	const stores = [ledger.store(), ledger.store()];
	for (let round = 0; round < 5; round++) {
		const batch = keys(5).map((key) => `${key}#${round}`);
		await stores[0].claim(batch.map((key) => aClaim(key, { retentionSeconds: 1 })));
		await stores[0].seal(batch.map((key) => aSeal(key, { result: 'old' })));
		await other.query(`UPDATE ${recordsTable(ledger.settings)} SET expires_at = now()`);
		const answers = await Promise.all(
			Array.from({ length: 8 }, (_one, index) => stores[index % 2].claim(batch.map((key) => aClaim(key, { token: `t${index}` })))),
		);
		const claimed = answers.flat().filter(({ outcome }) => outcome === 'claimed');
		expect(claimed.map(({ record }) => record!.key).sort()).toEqual(batch);
		for (const { detail, record } of claimed) expect({ detail, record }).toMatchObject({ detail: 'first', record: { revision: 1, result: null } });
		expect(answers.flat().filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(35);
	}
});

test.each(['read committed', 'repeatable read', 'serializable'])('opposite orders under %s neither deadlock nor claim twice', async (isolation) => {
	const own = await databaseWith({ default_transaction_isolation: isolation });
	try {
		const stores = [own.store(), own.store()];
		for (let round = 0; round < 5; round++) {
			const batch = keys(30).map((key) => `${key}#${round}`);
			const answers = await Promise.all([
				stores[0].claim(batch.map((key) => aClaim(key, { token: 'a' }))),
				stores[1].claim(reversed(batch).map((key) => aClaim(key, { token: 'b' }))),
			]);
			expect(answers.flat().filter(({ outcome }) => outcome === 'claimed')).toHaveLength(30);
			const seals = await Promise.all([
				stores[0].seal(batch.map((key) => aSeal(key, { token: 'a' }))),
				stores[1].seal(reversed(batch).map((key) => aSeal(key, { token: 'b' }))),
			]);
			expect(seals.flat().filter(({ outcome }) => outcome === 'sealed')).toHaveLength(30);
		}
	} finally {
		await own.close();
	}
});

test('a deadlock with a session that locks in another order is tried again', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1'), aClaim('op:2')]);
	await hold('op:2');
	const claiming = store.claim([aClaim('op:1', { token: 'x' }), aClaim('op:2', { token: 'x' })]);
	await sleep(300);
	// Now each waits for the other; the server ends one of them.
	const theirs = other.query(`SELECT FROM ${recordsTable(ledger.settings)} WHERE key = 'op:1' FOR UPDATE`).catch(() => undefined);
	await sleep(1500);
	await theirs;
	await other.query('ROLLBACK');
	expect((await claiming).map(({ outcome }) => outcome)).toEqual(['in_progress', 'in_progress']);
});

test('a claim that waited for a lock decides by the time after the wait', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1', { leaseMs: 500 })]);
	await hold('op:1');
	const claiming = store.claim([aClaim('op:1', { token: 'late' })]);
	await sleep(900);
	await other.query('ROLLBACK');
	// Sent while the lease was alive; decided when it was over.
	const [answer] = await claiming;
	expect(answer.record?.reason).toBe('lease_expired');
	expect(answer.at).toBeGreaterThanOrEqual(answer.record!.createdAt + 500);
});

test('the clock is read for each row, after its own lock', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1'), aClaim('op:2', { leaseMs: 500 })]);
	await hold('op:2');
	const claiming = store.claim([aClaim('op:1', { token: 'late' }), aClaim('op:2', { token: 'late' })]);
	await sleep(900);
	await other.query('ROLLBACK');
	const [first, second] = await claiming;
	expect(first.outcome).toBe('in_progress');
	expect(second.record?.reason).toBe('lease_expired');
	expect(second.at - first.at).toBeGreaterThanOrEqual(400);
});

test('a seal decides on the version it waited for, not on the one it saw first', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1')]);
	await other.query('BEGIN');
	await other.query(`UPDATE ${recordsTable(ledger.settings)} SET token = 'taken', attempt = 2, stale_seals = 7 WHERE key = 'op:1'`);
	const sealing = store.seal([aSeal('op:1', { result: 'late' })]);
	await sleep(300);
	await other.query('COMMIT');
	const [answer] = await sealing;
	expect(answer).toMatchObject({ outcome: 'stale', record: { state: 'processing', token: 'taken', result: null, counters: { staleSeals: 8 } } });
});

test('a seal whose record comes into being meanwhile is decided on that record', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:else')]);
	await other.query('BEGIN');
	await other.query(
		`INSERT INTO ${recordsTable(ledger.settings)} SELECT (jsonb_populate_record(r, '{"key": "op:1", "token": "mine"}')).*
		FROM ${recordsTable(ledger.settings)} AS r`,
	);
	const sealing = store.seal([aSeal('op:1', { token: 'mine', result: 5 })]);
	await sleep(300);
	await other.query('COMMIT');
	const [answer] = await sealing;
	expect(answer).toMatchObject({ outcome: 'sealed', record: { state: 'succeeded', result: 5 } });
});

test('of two seals with one external ID at the same time, at least one says so', async () => {
	const stores = [ledger.store(), ledger.store()];
	for (let round = 0; round < 15; round++) {
		const pair = [`op:${round}a`, `op:${round}b`];
		await stores[0].claim(pair.map((key) => aClaim(key)));
		const answers = await Promise.all(pair.map((key, index) => stores[index].seal([aSeal(key, { externalId: `id ${round}` })])));
		const noted = answers.flat().filter(({ detail }) => detail === 'anomaly');
		expect(noted.length).toBeGreaterThanOrEqual(1);
		for (const { record } of noted) {
			expect(record).toMatchObject({ state: 'succeeded', anomalies: [{ kind: 'shared_external_id', otherKey: pair.find((key) => key !== record!.key) }] });
		}
	}
});

test('claims, seals and releases of few keys by many: never two holders', async () => {
	const stores = [ledger.store(), ledger.store()];
	const holders = new Map<string, string>();
	let claimed = 0;
	async function work(worker: number): Promise<void> {
		for (let round = 0; round < 40; round++) {
			const token = `${worker}:${round}`;
			const answers = await stores[worker % 2].claim(keys(3).map((key) => aClaim(key, { token })));
			for (const { outcome, record } of answers) {
				if (outcome !== 'claimed') continue;
				claimed += 1;
				expect(holders.get(record!.key)).toBeUndefined();
				holders.set(record!.key, token);
			}
			const mine = answers.filter(({ outcome }) => outcome === 'claimed').map(({ record }) => record!);
			for (const { key } of mine) holders.delete(key);
			await stores[worker % 2].release(mine.map(({ key, attempt }) => ({ key, token, attempt, rerun: false, executionId: null })));
		}
	}
	await Promise.all([0, 1, 2, 3, 4, 5].map(work));
	expect(claimed).toBeGreaterThan(40);
});

describe('time-outs', () => {
	test('a lock held elsewhere: TIMEOUT in time, and the claim does not happen afterwards', async () => {
		const store = ledger.store({ commandTimeoutMs: 600 });
		await store.claim([aClaim('op:1', { leaseMs: 1 })]);
		await hold('op:1');
		const began = Date.now();
		await rejection(store.claim([aClaim('op:1', { token: 'late' })]), 'TIMEOUT');
		expect(Date.now() - began).toBeLessThan(1500);
		await other.query('ROLLBACK');
		await sleep(300);
		const { records } = await store.get(['op:1']);
		expect(records[0]).toMatchObject({ revision: 1, counters: { duplicates: 0 } });
	});

	test('a server that is slow: TIMEOUT, and its connection never serves again', async () => {
		const store = ledger.store({ commandTimeoutMs: 700, maxConnections: 1 });
		await store.claim([aClaim('op:1')]);
		// Works for longer than anyone waits, without any lock that lock_timeout knows.
		await ledger.client.query(`CREATE FUNCTION "${ledger.settings.schema}".slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN new; END'`);
		await ledger.client.query(`CREATE TRIGGER slow BEFORE UPDATE ON ${recordsTable(ledger.settings)} FOR EACH ROW EXECUTE FUNCTION "${ledger.settings.schema}".slow()`);
		const began = Date.now();
		await rejection(store.claim([aClaim('op:1', { token: 'late' })]), 'TIMEOUT');
		expect(Date.now() - began).toBeLessThan(2000);
		// Behind the sleeping one this would wait for it.
		expect((await store.get(['op:1'])).records[0]).toMatchObject({ revision: 1 });
		expect(Date.now() - began).toBeLessThan(2500);
	});

	test('all connections at work: TIMEOUT that says so', async () => {
		const store = ledger.store({ maxConnections: 1, connectTimeoutMs: 300, commandTimeoutMs: 3000 });
		await store.claim([aClaim('op:1')]);
		await hold('op:1');
		const first = store.claim([aClaim('op:1', { token: 'x' })]);
		await sleep(100);
		const error = await rejection(store.get(['op:1']), 'TIMEOUT');
		expect(error.message).toContain('All 1 connections');
		await other.query('ROLLBACK');
		expect((await first)[0].outcome).toBe('in_progress');
	});
});

test('no more connections than allowed, whatever the load', async () => {
	const store = ledger.store({ maxConnections: 2 });
	await store.get([]);
	await Promise.all(keys(40).map((key) => store.claim([aClaim(key)])));
	const { rows } = await ledger.client.query(
		"SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'n8n-nodes-idempotency' AND query LIKE $1",
		[`%"${ledger.settings.schema}"%`],
	);
	expect(rows[0].open).toBeLessThanOrEqual(2);
	expect(rows[0].open).toBeGreaterThan(0);
});

test('connections that the server ended are replaced', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1')]);
	await ledger.client.query(
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'n8n-nodes-idempotency' AND query LIKE $1",
		[`%"${ledger.settings.schema}"%`],
	);
	await sleep(100);
	expect((await store.claim([aClaim('op:1', { token: 'x' })]))[0].outcome).toBe('in_progress');
});

test('a connection ended in the middle of a claim: UNREACHABLE, and the claim can be repeated as it is', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1')]);
	await hold('op:1');
	const claiming = rejection(store.claim([aClaim('op:1')]), 'UNREACHABLE');
	await sleep(200);
	await ledger.client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1", [
		`%"${ledger.settings.schema}"%`,
	]);
	await claiming;
	await other.query('ROLLBACK');
	expect((await store.claim([aClaim('op:1')]))[0]).toMatchObject({ outcome: 'claimed', detail: 'own' });
});

test('closed: every command says so, and nothing stays connected', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1')]);
	await store.close();
	await store.close();
	await rejection(store.claim([aClaim('op:1')]), 'CLOSED');
	await rejection(store.get(['op:1']), 'CLOSED');
	await rejection(store.inspect(), 'CLOSED');
	const unused = ledger.store();
	await unused.close();
	await rejection(unused.claim([aClaim('op:1')]), 'CLOSED');
	const open = async () => {
		const { rows } = await ledger.client.query(
			"SELECT FROM pg_stat_activity WHERE application_name = 'n8n-nodes-idempotency' AND query LIKE $1",
			[`%"${ledger.settings.schema}"%`],
		);
		return rows.length;
	};
	// The server takes a moment to notice; idle connections would stay for half a minute.
	for (let left = 50; left > 0 && (await open()) > 0; left--) await sleep(100);
	expect(await open()).toBe(0);
});

test('no statement leaves anything on its session', async () => {
	const store = ledger.store({ maxConnections: 1 });
	await store.claim([aClaim('op:1')]);
	await store.seal([aSeal('op:1', { externalId: 'x' })]);
	await store.claim([aClaim('op:2')]);
	await store.extend([{ key: 'op:2', token: 'token of op:2', attempt: 1, extendMs: 5 }]);
	await store.release([{ key: 'op:2', token: 'token of op:2', attempt: 1, rerun: false, executionId: null }]);
	// A trigger tells what the session of the next claim has set; PgBouncer would hand it to anybody.
	const { schema } = ledger.settings;
	await ledger.client.query(`CREATE TABLE "${schema}".seen (prepared bigint, timeout text, locks bigint)`);
	await ledger.client.query(
		`CREATE FUNCTION "${schema}".look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO "${schema}".seen SELECT (SELECT count(*) FROM pg_prepared_statements),
				(SELECT reset_val FROM pg_settings WHERE name = 'lock_timeout'),
				(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid());
			RETURN new; END $$`,
	);
	await ledger.client.query(`CREATE TRIGGER look BEFORE INSERT ON ${recordsTable(ledger.settings)} FOR EACH ROW EXECUTE FUNCTION "${schema}".look()`);
	await store.claim([aClaim('op:3')]);
	const { rows } = await ledger.client.query(`SELECT * FROM "${schema}".seen`);
	expect(rows).toEqual([{ prepared: '0', timeout: '0', locks: '0' }]);
});
