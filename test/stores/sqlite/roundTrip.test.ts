import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { Json } from '../../../ledger/core/record';
import { asText, fromText } from '../../../ledger/stores/sqlite/rows';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { claimOf, successOf } from './commands';

let folder: string;
let store: SqliteStore;

beforeEach(() => {
	folder = temporaryFolder('sqlite-values');
	store = new SqliteStore(sqliteSettings(folder));
});
afterEach(async () => {
	await store.close();
	removeFolder(folder);
});

const ODD_TEXTS = ['', 'a\0b', 'a', '\ud800', '\udfff', '\ufffd', '\u0001"a"', '"', '\\', 'é', 'e\u0301', '𝄞', "'; DROP TABLE ledger; --"];

describe('Values come back exactly as they were given', () => {
	test.each<[string, Json]>([
		['texts', ODD_TEXTS],
		['numbers', [0, 1e308, 5e-324, 2 ** 53 - 1, 2 ** 53, 1.1, -1e21, 0.1 + 0.2]],
		['names', JSON.parse('{"__proto__":{"a":1},"constructor":null,"":0,"a\\u0000":1,"\\ud800":2}')],
		['nesting', JSON.parse('['.repeat(500) + ']'.repeat(500))],
		['a megabyte', 'ä'.repeat(500_000)],
	])('%s', async (_what, result) => {
		const claim = claimOf('1');
		await store.claim([claim]);
		await store.seal([successOf(claim, { result })]);
		const again = new SqliteStore(sqliteSettings(folder));
		const { records } = await again.get([claim.key]);
		expect(JSON.stringify(records[0]?.result)).toBe(JSON.stringify(result));
		expect(records[0]?.result).toEqual(result);
		await again.close();
	});

	test('texts that differ in anything are different in every filter, and as keys', async () => {
		const claims = ODD_TEXTS.map((text) =>
			claimOf(text, { operation: text, scope: text, correlationId: text, token: `token ${text}` }),
		);
		await store.claim(claims);
		await store.seal(claims.map((claim, index) => successOf(claim, { externalId: ODD_TEXTS[index] })));
		for (const text of ODD_TEXTS) {
			for (const filter of [{ operation: text }, { scope: text }, { externalId: text }, { correlationId: text }]) {
				const { records } = await store.list({ limit: 10, ...filter });
				expect(records.map(({ businessId }) => businessId)).toEqual([text]);
			}
		}
		const { operations } = await store.statistics();
		expect(operations.map(({ operation }) => operation)).toEqual([...ODD_TEXTS].sort());
	});

	test('text of people stands in the columns as they wrote it', () => {
		expect(['order 1', 'é', '"', '𝄞'].map(asText)).toEqual(['order 1', 'é', '"', '𝄞']);
		expect(ODD_TEXTS.map(asText).map(fromText)).toEqual(ODD_TEXTS);
		expect(new Set(ODD_TEXTS.map(asText)).size).toBe(ODD_TEXTS.length);
	});
});

describe('The file', () => {
	test('may be read by its owner only, with all that SQLite keeps beside it', async () => {
		await store.claim([claimOf('1')]);
		const modes = ['', '-wal', '-shm'].map((suffix) => statSync(join(folder, `ledger.sqlite${suffix}`)).mode & 0o777);
		expect(modes).toEqual([0o600, 0o600, 0o600]);
	});

	test('is made by the first command, not by the constructor', async () => {
		expect(() => statSync(join(folder, 'ledger.sqlite'))).toThrow('ENOENT');
		await store.get([]);
		expect(statSync(join(folder, 'ledger.sqlite')).isFile()).toBe(true);
	});

	test('the connection test names version, file, durability and the local disk', async () => {
		const { server, findings } = await store.inspect();
		expect(server).toMatch(/^SQLite 3\.\d+\.\d+ \(Node\.js \d+\.\d+\.\d+\)$/);
		expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
		const text = findings.map((finding) => finding.text).join('\n');
		expect(text).toMatch(/ledger\.sqlite, \d+ KB/);
		expect(text).toContain('survives a power cut');
		expect(text).toContain('local disk');
	});

	test('the connection test warns that workers must share the file', async () => {
		const shared = new SqliteStore(sqliteSettings(folder, { queueMode: true, shared: true }));
		const { findings } = await shared.inspect();
		expect(findings).toContainEqual(expect.objectContaining({ level: 'warning', text: expect.stringContaining('All Processes Share This File') }));
		await shared.close();
	});
});

describe('The clock of the machine', () => {
	test('set back, leases and waits last longer: nothing is taken over early', async () => {
		const clock = { now: 10_000_000 };
		const set = new SqliteStore(sqliteSettings(folder), () => clock.now);
		await set.claim([claimOf('1', { leaseMs: 1_000, policy: 'take_over' })]);
		const other = claimOf('1', { token: 'another', policy: 'take_over' });
		clock.now -= 3_600_000;
		expect((await set.claim([other]))[0]).toMatchObject({ outcome: 'in_progress', at: clock.now });
		clock.now += 3_600_999;
		expect((await set.claim([other]))[0].outcome).toBe('in_progress');
		clock.now += 1;
		expect((await set.claim([other]))[0].outcome).toBe('claimed');
		await set.close();
	});
});
