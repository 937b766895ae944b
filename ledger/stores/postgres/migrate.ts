import { LedgerError } from '../../core/errors';
import type { PostgresConnection, RunStatement } from './connection';
import type { Names } from './identifiers';
import { migrations } from './migrations.generated';
import { statements } from './statements.generated';

export interface Migration {
	id: string;
	sql: string;
}

/** How long to wait for another process that is at it. */
const WAIT_MS = 50_000;

/**
 * Migrations that weren't run here yet.
 * @throws LedgerError FOREIGN_TABLE when one was that this version doesn't know
 */
export function missingMigrations(applied: string[], known: readonly Migration[] = migrations): Migration[] {
	const newer = applied.filter((id) => !known.some((one) => one.id === id));
	if (newer.length > 0) {
		throw new LedgerError('FOREIGN_TABLE', `A newer version of this package has changed the tables (${newer.join(', ')})`, {
			advice: 'Update the package in every n8n process; they all have to run the same version.',
		});
	}
	return known.filter((one) => !applied.includes(one.id));
}

export async function appliedMigrations(run: RunStatement, names: Names): Promise<string[]> {
	return (await run(names.fill(statements.appliedMigrations))).map(({ id }) => String(id));
}

/**
 * Bring the tables up to date, in one transaction. Several processes may come at once: the first one
 * does it, the others wait for it and then find nothing left to do.
 */
export async function migrate(connection: PostgresConnection, names: Names, schemaExists: boolean): Promise<void> {
	await connection.transaction('creating the tables', async (run) => {
		await run(statements.lockMigrations, [names.schema, WAIT_MS]);
		if (!schemaExists) await run(names.fill(statements.createSchema));
		const [there] = await run(statements.migrationsExist, [names.schema, names.migrations]);
		const applied = there.found === 't' ? await appliedMigrations(run, names) : [];
		for (const { sql } of missingMigrations(applied)) await run(names.fill(sql));
	});
}
