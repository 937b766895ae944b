import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { pragma } from '../../../ledger/stores/sqlite/migrate';
import { openFile } from '../../../ledger/stores/sqlite/openFile';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { claimOf, successOf } from './commands';

let folder: string;
let store: SqliteStore;

beforeEach(() => {
	folder = temporaryFolder('sqlite-loop');
	store = new SqliteStore(sqliteSettings(folder));
});
afterEach(async () => {
	await store.close();
	removeFolder(folder);
});

/** How many turns of the event loop others get until the promise is settled. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
	let turns = 0;
	let settled = false;
	const count = () => {
		turns += 1;
		if (!settled) setImmediate(count);
	};
	setImmediate(count);
	await work.finally(() => (settled = true));
	return turns;
}

/** Somebody else who holds the write lock; in this process, on a connection of its own. */
function lockHolder(): { release(): void } {
	const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
	database.exec('BEGIN IMMEDIATE');
	return {
		release() {
			database.exec('ROLLBACK');
			database.close();
		},
	};
}

describe('A big batch lets n8n breathe: a turn of the event loop at least every 200 items', () => {
	const claims = Array.from({ length: 1_000 }, (_, number) => claimOf(String(number)));

	test('claims, in order', async () => {
		const claiming = store.claim(claims);
		expect(await turnsDuring(claiming)).toBeGreaterThanOrEqual(4);
		expect((await claiming).map(({ record }) => record?.key)).toEqual(claims.map(({ key }) => key));
	});

	test('seals, reads, a page, a purge', async () => {
		await store.claim(claims);
		expect(await turnsDuring(store.seal(claims.map((claim) => successOf(claim))))).toBeGreaterThanOrEqual(4);
		expect(await turnsDuring(store.get(claims.map(({ key }) => key)))).toBeGreaterThanOrEqual(4);
		expect(await turnsDuring(store.list({ limit: 1_000 }))).toBeGreaterThanOrEqual(4);
		const later = new SqliteStore(sqliteSettings(folder), () => Date.now() + 31 * 24 * 3600_000);
		const purging = later.purge(1_000);
		expect(await turnsDuring(purging)).toBeGreaterThanOrEqual(4);
		expect(await purging).toBe(1_000);
		await later.close();
	});

	test('single commands one after the other, too', async () => {
		const oneByOne = async () => {
			for (const claim of claims.slice(0, 10)) await store.claim([claim]);
		};
		expect(await turnsDuring(oneByOne())).toBeGreaterThanOrEqual(9);
	});

	test('slow items end a step early', async () => {
		let now = 0;
		// Every look at the clock finds 30 ms gone by.
		const slow = jest.spyOn(performance, 'now').mockImplementation(() => (now += 30));
		const turns = await turnsDuring(store.claim(claims.slice(0, 10)));
		slow.mockRestore();
		expect(turns).toBeGreaterThanOrEqual(9);
	});

	test('one key named a thousand times is claimed once, across all steps', async () => {
		const answers = await store.claim(claims.map((_, number) => claimOf('same', { token: `token ${number}` })));
		expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
		expect(answers[0].outcome).toBe('claimed');
		expect(answers[999].record?.counters.duplicates).toBe(999);
	});
});

describe('A lock held by another process', () => {
	test('is waited for without holding the event loop', async () => {
		await store.get([]);
		const lock = lockHolder();
		let answered = false;
		const claiming = store.claim([claimOf('1')]).finally(() => (answered = true));
		const turns = await turnsDuring(sleep(200));
		expect(answered).toBe(false);
		expect(turns).toBeGreaterThan(20);
		lock.release();
		expect((await claiming)[0].outcome).toBe('claimed');
	});

	test('holds SQLite itself for a few milliseconds only', () => {
		const { database } = openFile(sqliteSettings(folder));
		expect(pragma(database, 'busy_timeout')).toBeLessThanOrEqual(10);
		database.close();
	});

	test('is held when the clock is read: who decides later has the later time', async () => {
		let readings = 0;
		const clocked = new SqliteStore(sqliteSettings(folder), () => {
			readings += 1;
			return Date.now();
		});
		await clocked.get([]);
		readings = 0;
		const lock = lockHolder();
		const claiming = clocked.claim([claimOf('1')]);
		await sleep(50);
		expect(readings).toBe(0);
		lock.release();
		await claiming;
		expect(readings).toBe(1);
		await clocked.close();
	});

	test('ends in BUSY when the command time-out is over, with nothing done', async () => {
		await store.get([]);
		const lock = lockHolder();
		const hasty = new SqliteStore(sqliteSettings(folder, { commandTimeoutMs: 50 }));
		await expect(hasty.claim([claimOf('1')])).rejects.toMatchObject({ code: 'BUSY', retryable: true });
		lock.release();
		expect((await store.get(['charge:1'])).records).toEqual([null]);
		expect((await hasty.claim([claimOf('1')]))[0].outcome).toBe('claimed');
		await hasty.close();
	});

	test('stops no reader', async () => {
		await store.claim([claimOf('1')]);
		const lock = lockHolder();
		expect((await store.get(['charge:1'])).records[0]?.state).toBe('processing');
		lock.release();
	});

	test('closing while waiting ends the wait', async () => {
		await store.get([]);
		const lock = lockHolder();
		const claiming = store.claim([claimOf('1')]);
		await store.close();
		await expect(claiming).rejects.toMatchObject({ code: 'CLOSED' });
		lock.release();
	});
});
