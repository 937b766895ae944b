import { recordsTable } from '../../support/subjects/postgres';
import { aClaim, aSeal } from './commands';
import { ledgerAt, rejection } from './ledgerAt';

const claim = [aClaim('op:1')];

describe('a role with the least rights', () => {
	const role = 'ledger_least';
	async function asLeast(grants: (schema: string, records: string, migrations: string) => string[], changes = {}) {
		const ledger = await ledgerAt();
		const { schema, tablePrefix } = ledger.settings;
		await ledger.store().get([]);
		const name = `${role}_${schema}`;
		await ledger.client.query(`CREATE ROLE ${name} LOGIN`);
		for (const grant of grants(schema, recordsTable(ledger.settings), `"${schema}"."${tablePrefix}migrations"`)) {
			await ledger.client.query(`GRANT ${grant} TO ${name}`);
		}
		const store = ledger.store({ user: name, ...changes });
		return {
			store,
			close: async () => {
				await store.close();
				await ledger.close();
				const { client } = await ledgerAt();
				await client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
				await client.end();
			},
		};
	}

	test('SELECT, INSERT, UPDATE, DELETE on one table and SELECT on the other are enough', async () => {
		const { store, close } = await asLeast((schema, records, migrations) => [
			`USAGE ON SCHEMA "${schema}"`,
			`SELECT, INSERT, UPDATE, DELETE ON ${records}`,
			`SELECT ON ${migrations}`,
		]);
		try {
			await store.claim([aClaim('op:1'), aClaim('op:2')]);
			expect((await store.seal([aSeal('op:1', { externalId: 'x' })]))[0].outcome).toBe('sealed');
			await store.release([{ key: 'op:2', token: 'token of op:2', attempt: 1, rerun: false, executionId: null }]);
			await store.purge(10);
			await store.statistics();
			expect((await store.inspect()).findings.filter(({ level, text }) => level === 'problem' && !/^(fsync|full_page_writes)/.test(text))).toEqual([]);
		} finally {
			await close();
		}
	});

	test('a missing right is named, by the command and by the connection test', async () => {
		const { store, close } = await asLeast((schema, records, migrations) => [
			`USAGE ON SCHEMA "${schema}"`,
			`SELECT, INSERT ON ${records}`,
			`SELECT ON ${migrations}`,
		]);
		try {
			const error = await rejection(store.claim(claim), 'PERMISSION_DENIED');
			expect(error.message).toContain('idempotency_records');
			expect((await store.inspect()).findings).toContainEqual({
				level: 'problem',
				text: expect.stringMatching(/lacks UPDATE, DELETE on .*idempotency_records/),
			});
		} finally {
			await close();
		}
	});

	test('no right to create the schema: PERMISSION_DENIED, foretold by the connection test', async () => {
		const { store, close } = await asLeast(() => [], { schema: 'nobody_made_this' });
		try {
			await rejection(store.claim(claim), 'PERMISSION_DENIED');
			expect((await store.inspect()).findings).toContainEqual({ level: 'problem', text: expect.stringContaining('lacks CREATE') });
		} finally {
			await close();
		}
	});

	test('no right to use the schema', async () => {
		const { store, close } = await asLeast(() => []);
		try {
			await rejection(store.claim(claim), 'PERMISSION_DENIED');
			expect((await store.inspect()).findings).toContainEqual({ level: 'problem', text: expect.stringContaining('lacks USAGE') });
		} finally {
			await close();
		}
	});
});
