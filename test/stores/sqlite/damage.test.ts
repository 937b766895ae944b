import { spawnSync } from 'node:child_process';
import fs, {
	chmodSync,
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { SqliteSettings } from '../../../ledger/core/settings';
import { toLedgerError } from '../../../ledger/stores/sqlite/errors';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { unprivilegedAccount } from '../../support/servers/unprivilegedAccount';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { bundled } from './bundle';
import { claimOf } from './commands';

let folder: string;
let path: string;
const stores: SqliteStore[] = [];

beforeEach(() => {
	folder = temporaryFolder('sqlite-damage');
	path = join(folder, 'ledger.sqlite');
});
afterEach(async () => {
	await Promise.all(stores.splice(0).map((store) => store.close()));
	removeFolder(folder);
});

function ledger(changes: Partial<SqliteSettings> = {}): SqliteStore {
	const store = new SqliteStore(sqliteSettings(folder, changes));
	stores.push(store);
	return store;
}

const claim = (store: SqliteStore, businessId = '1') => store.claim([claimOf(businessId)]);
const code = (expected: string) => expect.objectContaining({ name: 'LedgerError', code: expected });

/** A database made by somebody else. */
function foreign(sql: string): void {
	const database = new DatabaseSync(path);
	database.exec(sql);
	database.close();
}

describe('A file that is not a ledger is refused and left as it is', () => {
	test.each([
		['a text file', () => writeFileSync(path, 'not a database, and long enough for a header of SQLite. '.repeat(10)), 'FILE_UNUSABLE'],
		['a database of something else', () => foreign('CREATE TABLE workflow_entity (id INTEGER)'), 'FOREIGN_TABLE'],
		['an empty database with a version of its own', () => foreign('PRAGMA user_version = 7'), 'FOREIGN_TABLE'],
		['a database of another application', () => foreign('PRAGMA application_id = 7'), 'FOREIGN_TABLE'],
		['a ledger of a newer version', () => foreign(`PRAGMA application_id = ${0x6964656d}; PRAGMA user_version = 99`), 'FOREIGN_TABLE'],
		[
			'a ledger whose table has another shape',
			() => foreign(`PRAGMA application_id = ${0x6964656d}; PRAGMA user_version = 1; CREATE TABLE ledger_identity (identity); CREATE TABLE ledger (key)`),
			'FOREIGN_TABLE',
		],
		['a ledger without its tables', () => foreign(`PRAGMA application_id = ${0x6964656d}; PRAGMA user_version = 1`), 'FOREIGN_TABLE'],
	])('%s', async (what, make, expected) => {
		make();
		const before = readFileSync(path);
		await expect(claim(ledger())).rejects.toEqual(code(expected));
		// A ledger's own marks let WAL mode be switched on; anything else isn't written to.
		if (!what.startsWith('a ledger w')) expect(readFileSync(path).equals(before)).toBe(true);
	});

	test.each([
		['a folder', () => mkdirSync(path), 'is not a plain file'],
		['a link out of the folder', () => symlinkSync(join(folder, '..', 'elsewhere.sqlite'), path), 'is a symbolic link'],
		['a link to a file in the folder', () => symlinkSync(join(folder, 'other.sqlite'), path), 'is a symbolic link'],
		[
			'a file with a second name',
			() => {
				writeFileSync(path, '');
				linkSync(path, join(folder, 'second'));
			},
			'has a second name',
		],
	])('%s', async (_what, make, reason) => {
		make();
		const before = readdirSync(folder);
		const refused = claim(ledger());
		await expect(refused).rejects.toEqual(code('FILE_UNUSABLE'));
		await expect(refused).rejects.toThrow(reason);
		expect(readdirSync(folder)).toEqual(before);
		expect(existsSync(join(folder, '..', 'elsewhere.sqlite'))).toBe(false);
	});

	test('a file that another process makes in the same moment is shared with it', async () => {
		// The moment between looking and making, which no test could hit on purpose.
		const looking = jest.spyOn(fs, 'lstatSync').mockImplementationOnce(() => {
			writeFileSync(path, '', { mode: 0o600 });
			return undefined;
		});
		await expect(claim(ledger())).resolves.toMatchObject([{ outcome: 'claimed' }]);
		expect(looking).toHaveBeenCalledTimes(1);
		looking.mockRestore();
	});

	test('an empty file is a ledger that was never begun', async () => {
		writeFileSync(path, '');
		await expect(claim(ledger())).resolves.toMatchObject([{ outcome: 'claimed' }]);
	});
});

describe('A folder that cannot hold the file', () => {
	test('does not exist', async () => {
		await expect(claim(ledger({ folder: join(folder, 'missing') }))).rejects.toEqual(code('FILE_UNUSABLE'));
		expect(existsSync(join(folder, 'missing'))).toBe(false);
	});

	test('is a file', async () => {
		writeFileSync(join(folder, 'file'), '');
		await expect(claim(ledger({ folder: join(folder, 'file') }))).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test.each(['the folder', 'the file'])('is read-only: %s', async (what) => {
		if (what === 'the file') {
			const store = ledger();
			await claim(store);
			await store.close();
			chmodSync(path, 0o444);
		}
		const script = bundled(
			`
			import { SqliteStore } from './ledger/stores/sqlite/SqliteStore';
			import { claimOf } from './test/stores/sqlite/commands';
			const store = new SqliteStore(JSON.parse(process.argv[2]));
			store.claim([claimOf('2')]).then(() => console.log('claimed'), ({ code }) => console.log(code));`,
			folder,
		);
		// Rights don't bind root: the child runs as somebody else, who may look but not write.
		chmodSync(folder, 0o555);
		const { stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(sqliteSettings(folder))], {
			...unprivilegedAccount(),
			encoding: 'utf8',
		});
		chmodSync(folder, 0o700);
		expect({ stdout, stderr }).toEqual({ stdout: 'FILE_UNUSABLE\n', stderr: '' });
	});

	test('is full', () => {
		const database = new DatabaseSync(path);
		database.exec('CREATE TABLE t (a); PRAGMA max_page_count = 3');
		let error: unknown;
		try {
			database.exec(`INSERT INTO t VALUES (zeroblob(100000))`);
		} catch (thrown) {
			error = thrown;
		}
		database.close();
		expect(toLedgerError(error)).toEqual(code('OUT_OF_SPACE'));
	});
});

describe('A corrupt ledger fails closed', () => {
	test('pages overwritten', async () => {
		const store = ledger();
		await store.claim(Array.from({ length: 500 }, (_, number) => claimOf(`${number}`)));
		await store.close();
		const bytes = readFileSync(path);
		bytes.fill(0x5a, 4096);
		writeFileSync(path, bytes);
		await expect(claim(ledger(), '499')).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test('cut off', async () => {
		const store = ledger();
		await store.claim(Array.from({ length: 500 }, (_, number) => claimOf(`${number}`)));
		await store.close();
		truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096);
		await expect(claim(ledger(), '499')).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test.each(['no JSON', '{}', 'null', '{"state":"processing"}'])('a record that is %s', async (text) => {
		const store = ledger();
		await claim(store);
		foreign(`UPDATE ledger SET record = '${text}'`);
		await expect(claim(store)).rejects.toEqual(code('UNREADABLE_RECORD'));
		// The failed transaction is over: the ledger goes on with other keys.
		await expect(claim(store, '2')).resolves.toMatchObject([{ outcome: 'claimed' }]);
	});
});

describe('A ledger file that is lost while n8n runs is a lost memory: nothing more is claimed', () => {
	test.each(['', '-wal', '-shm'])('ledger.sqlite%s deleted', async (suffix) => {
		const store = ledger();
		await claim(store);
		rmSync(path + suffix);
		await expect(claim(store)).rejects.toEqual(code('FILE_UNUSABLE'));
		await expect(claim(store)).rejects.toThrow('deleted or replaced');
	});

	test('a read says so too', async () => {
		const store = ledger();
		await claim(store);
		rmSync(path);
		await expect(store.get(['charge:1'])).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test('replaced by an older copy', async () => {
		const store = ledger();
		await claim(store);
		copyFileSync(path, join(folder, 'copy'));
		renameSync(join(folder, 'copy'), path);
		await expect(claim(store)).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test('a new store of the same process does not begin a new file', async () => {
		const store = ledger();
		await claim(store);
		await store.close();
		rmSync(path);
		await expect(claim(ledger())).rejects.toEqual(code('FILE_UNUSABLE'));
		expect(existsSync(path)).toBe(false);
	});

	test('a new store of the same process does not take another ledger for it', async () => {
		const store = ledger();
		await claim(store);
		await store.close();
		const other = ledger({ fileName: 'other.sqlite' });
		await claim(other);
		await other.close();
		renameSync(join(folder, 'other.sqlite'), path);
		await expect(claim(ledger())).rejects.toEqual(code('FILE_UNUSABLE'));
	});

	test('put back, it waits for a restart: only a person knows what was claimed meanwhile', async () => {
		const stores = [ledger(), ledger()];
		await Promise.all(stores.map((store) => claim(store)));
		renameSync(path, join(folder, 'aside'));
		await expect(claim(stores[0])).rejects.toEqual(code('FILE_UNUSABLE'));
		renameSync(join(folder, 'aside'), path);
		for (const store of stores) await expect(claim(store)).rejects.toEqual(code('FILE_UNUSABLE'));
		await expect(claim(ledger(), '2')).rejects.toEqual(code('FILE_UNUSABLE'));
		const database = new DatabaseSync(path);
		expect(database.prepare('SELECT key FROM ledger').all()).toEqual([{ key: 'charge:1' }]);
		database.close();
	});

	test('closing lets the file be opened again, moved aside and put back', async () => {
		const store = ledger();
		await claim(store);
		await store.close();
		renameSync(path, join(folder, 'aside'));
		renameSync(join(folder, 'aside'), path);
		await expect(ledger().claim([claimOf('1', { token: 'another' })])).resolves.toMatchObject([{ outcome: 'in_progress' }]);
	});
});
