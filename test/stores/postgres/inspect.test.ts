import type { Finding } from '../../../ledger/core/store';
import { startPostgres } from '../../support/servers/startPostgres';
import { recordsTable } from '../../support/subjects/postgres';
import { aClaim } from './commands';
import { databaseWith, ledgerAt } from './ledgerAt';
import type { Ledger } from './ledgerAt';

let ledger: Ledger;
beforeEach(async () => void (ledger = await ledgerAt()));
afterEach(() => ledger.close());

const texts = (findings: Finding[], level: Finding['level']) => findings.filter((one) => one.level === level).map(({ text }) => text);
/** The suite's own server doesn't flush to disk, so that it is quick. That is told, and has a test of its own. */
const FLUSHING = /^(fsync|full_page_writes) is off/;
const problems = async (store = ledger.store()) => texts((await store.inspect()).findings, 'problem').filter((text) => !FLUSHING.test(text));

test('a sound ledger: no problem, and the server by name and version', async () => {
	await ledger.store().claim([aClaim('op:1')]);
	const report = await ledger.store().inspect();
	expect(report.server).toMatch(/^PostgreSQL \d+\.\d+$/);
	expect(await problems()).toEqual([]);
	expect(texts(report.findings, 'ok').join('\n')).toMatch(/primary[^]*complete/);
});

test('before the first claim: it says that the tables will be created, and creates nothing', async () => {
	expect(texts((await ledger.store().inspect()).findings, 'ok').join()).toContain('first claim creates them');
	const { rows } = await ledger.client.query('SELECT FROM pg_namespace WHERE nspname = $1', [ledger.settings.schema]);
	expect(rows).toHaveLength(0);
});

test('missing tables are a problem when Create Tables is off', async () => {
	expect((await problems(ledger.store({ createTables: false }))).join()).toContain('idempotency_records and idempotency_migrations are missing');
});

test('tables of another shape, of somebody else, of a newer version', async () => {
	await ledger.store().get([]);
	await ledger.client.query(`ALTER TABLE ${recordsTable(ledger.settings)} DROP COLUMN claim_answer`);
	expect((await problems()).join()).toContain('lacks claim_answer text');
	await ledger.client.query(`INSERT INTO "${ledger.settings.schema}".idempotency_migrations (id) VALUES ('9999-future')`);
	expect((await problems()).join()).toContain('9999-future');
	await ledger.client.query(`DROP TABLE "${ledger.settings.schema}".idempotency_migrations`);
	expect((await problems()).join()).toContain('did not make');
});

test('a migration that was not run: told by its id', async () => {
	await ledger.store().get([]);
	await ledger.client.query(`DELETE FROM "${ledger.settings.schema}".idempotency_migrations`);
	expect((await problems(ledger.store({ createTables: false }))).join()).toContain('Migrations are missing: 0001-records');
});

test('read-only, and commits that a crash would forget', async () => {
	const own = await databaseWith({ default_transaction_read_only: 'on', synchronous_commit: 'off' });
	try {
		const { findings } = await own.store().inspect();
		expect(texts(findings, 'problem').join()).toContain('read-only');
		expect(texts(findings, 'ok').join()).toContain('synchronous_commit is off, but the ledger switches it on');
	} finally {
		await own.close();
	}
});

test('fsync off, a small server, an encoding that is not UTF8', async () => {
	const server = await startPostgres({ config: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on', max_connections: 10 } });
	const there = await ledgerAt({}, server.url);
	try {
		await there.client.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
		const { findings } = await there.store({ maxConnections: 20, database: 'latin' }).inspect();
		const warnings = texts(findings, 'warning').join('\n');
		const problems = texts(findings, 'problem').join('\n');
		expect(problems).toContain('fsync is off');
		expect(problems).toContain('full_page_writes is off');
		expect(warnings).toContain('LATIN1');
		expect(warnings).toMatch(/Max Connections is 20 per n8n process, but the server allows \d/);
		expect(texts(findings, 'ok').join()).not.toContain('synchronous_commit');
	} finally {
		await there.close();
		await server.dispose();
	}
});
