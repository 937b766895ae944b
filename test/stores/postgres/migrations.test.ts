import { Client } from 'pg';

import { migrations } from '../../../ledger/stores/postgres/migrations.generated';
import { missingMigrations } from '../../../ledger/stores/postgres/migrate';
import { RECORD_COLUMNS } from '../../../ledger/stores/postgres/shape';
import { recordsTable } from '../../support/subjects/postgres';
import { aClaim } from './commands';
import { ledgerAt, rejection } from './ledgerAt';
import type { Ledger } from './ledgerAt';

let ledger: Ledger;
beforeEach(async () => void (ledger = await ledgerAt()));
afterEach(() => ledger.close());

const table = (name: string) => `"${ledger.settings.schema}"."idempotency_${name}"`;

async function columnsOf(name: string): Promise<Record<string, string>> {
	const { rows } = await ledger.client.query(
		`SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
		[table(name)],
	);
	return Object.fromEntries(rows.map(({ attname, type }) => [attname, type]));
}

test('the first command creates schema and tables, in the shape the code expects', async () => {
	const [answer] = await ledger.store().claim([aClaim('op:1')]);
	expect(answer.outcome).toBe('claimed');
	expect(await columnsOf('records')).toEqual(RECORD_COLUMNS);
	const { rows } = await ledger.client.query(`SELECT id FROM ${table('migrations')} ORDER BY id`);
	expect(rows.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id));
});

test('every migration notes itself, so that a DBA runs nothing else', () => {
	for (const { id, sql } of migrations) expect(sql).toContain(`INSERT INTO {{migrations}} (id) VALUES ('${id}');`);
});

test('many processes at once on an empty database: one creates, all claim', async () => {
	const stores = Array.from({ length: 6 }, () => ledger.store());
	const answers = await Promise.all(stores.map((store, index) => store.claim([aClaim('op:1', { token: `t${index}` })])));
	expect(answers.flat().map(({ outcome }) => outcome).sort()).toEqual(['claimed', ...Array(5).fill('in_progress')]);
});

test('two prefixes in one schema are two ledgers, created at the same time', async () => {
	const stores = [ledger.store({ tablePrefix: 'a_' }), ledger.store({ tablePrefix: 'b_' }), ledger.store({ tablePrefix: '' })];
	const answers = await Promise.all(stores.map((store) => store.claim([aClaim('op:1')])));
	expect(answers.flat().map(({ detail }) => detail)).toEqual(['first', 'first', 'first']);
});

test('after a start the first claim takes at most three round trips', async () => {
	await ledger.store().get([]);
	const store = ledger.store();
	const sent = jest.spyOn(Client.prototype, 'query');
	try {
		await store.claim([aClaim('op:1')]);
		expect(sent.mock.calls.length).toBeLessThanOrEqual(3);
		sent.mockClear();
		await store.claim([aClaim('op:2'), aClaim('op:3')]);
		expect(sent).toHaveBeenCalledTimes(1);
	} finally {
		sent.mockRestore();
	}
});

describe('with Create Tables off', () => {
	test('missing tables are an error that names the migration, and nothing is created', async () => {
		const error = await rejection(ledger.store({ createTables: false }).claim([aClaim('op:1')]), 'TABLES_MISSING');
		expect(error.message).toContain(migrations[0].id);
		const { rows } = await ledger.client.query('SELECT FROM pg_namespace WHERE nspname = $1', [ledger.settings.schema]);
		expect(rows).toHaveLength(0);
	});

	test('the SQL that ships works by hand, and is found', async () => {
		const { schema } = ledger.settings;
		await ledger.client.query(`CREATE SCHEMA "${schema}"`);
		for (const { sql } of migrations) {
			await ledger.client.query(
				sql
					.replaceAll('{{records}}', table('records'))
					.replaceAll('{{migrations}}', table('migrations'))
					.replaceAll('{{prefix}}', 'idempotency_'),
			);
		}
		const [answer] = await ledger.store({ createTables: false }).claim([aClaim('op:1')]);
		expect(answer.outcome).toBe('claimed');
	});

	test('a store that found no tables finds them as soon as they are there', async () => {
		const store = ledger.store({ createTables: false });
		await rejection(store.claim([aClaim('op:1')]), 'TABLES_MISSING');
		await ledger.store().get([]);
		expect((await store.claim([aClaim('op:1')]))[0].outcome).toBe('claimed');
	});
});

describe('tables that are not ours are left alone', () => {
	test('a table of records without our migrations', async () => {
		await ledger.client.query(`CREATE SCHEMA "${ledger.settings.schema}"; CREATE TABLE ${table('records')} (id int)`);
		await rejection(ledger.store().claim([aClaim('op:1')]), 'FOREIGN_TABLE');
		expect(await columnsOf('records')).toEqual({ id: 'integer' });
	});

	test('a table of migrations of another shape', async () => {
		await ledger.client.query(`CREATE SCHEMA "${ledger.settings.schema}"; CREATE TABLE ${table('migrations')} (version int)`);
		const error = await rejection(ledger.store().claim([aClaim('op:1')]), 'FOREIGN_TABLE');
		expect(error.message).toContain('id text');
	});

	test('a column of another type', async () => {
		await ledger.store().get([]);
		await ledger.client.query(`ALTER TABLE ${table('records')} ALTER COLUMN result TYPE jsonb`);
		const error = await rejection(ledger.store().claim([aClaim('op:1')]), 'FOREIGN_TABLE');
		expect(error.message).toContain('result json');
	});

	test('tables of a newer version', async () => {
		await ledger.store().get([]);
		await ledger.client.query(`INSERT INTO ${table('migrations')} (id) VALUES ('9999-future')`);
		const error = await rejection(ledger.store().claim([aClaim('op:1')]), 'FOREIGN_TABLE');
		expect(error.message).toContain('9999-future');
	});
});

test('a migration that is not applied yet is found, in order', () => {
	const known = ['0001-records', '0002-more', '0003-most'].map((id) => ({ id, sql: '' }));
	expect(missingMigrations(['0001-records'], known).map(({ id }) => id)).toEqual(['0002-more', '0003-most']);
	expect(missingMigrations(['0003-most', '0001-records', '0002-more'], known)).toEqual([]);
});

test('tables dropped while a store runs: an error, then they are made again', async () => {
	const store = ledger.store();
	await store.claim([aClaim('op:1')]);
	await ledger.client.query(`DROP SCHEMA "${ledger.settings.schema}" CASCADE`);
	await rejection(store.claim([aClaim('op:1')]), 'TABLES_MISSING');
	expect((await store.claim([aClaim('op:1')]))[0].outcome).toBe('claimed');
});

test('names cannot carry SQL', async () => {
	for (const schema of ['a"; DROP TABLE x; --', 'ä', '1a', '', 'a.b', 'pg_x', 'x'.repeat(64)]) {
		expect(() => ledger.store({ schema })).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }));
	}
	for (const tablePrefix of ['a"b', 'a b', '1', 'x'.repeat(40)]) {
		expect(() => ledger.store({ tablePrefix })).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }));
	}
	await ledger.store({ tablePrefix: 'Select_' + 'x'.repeat(31) }).claim([aClaim('op:1')]);
	expect(recordsTable(ledger.settings)).toContain(ledger.settings.schema);
});
