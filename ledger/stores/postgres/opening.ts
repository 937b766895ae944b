import { LedgerError } from '../../core/errors';
import type { PostgresConnection } from './connection';
import type { Names } from './identifiers';
import { look } from './look';
import type { Found } from './look';
import { appliedMigrations, migrate, missingMigrations } from './migrate';
import { lackingMigrationColumns, lackingRecordColumns } from './shape';

/** 13: the oldest with all that the statements use. */
export const OLDEST_VERSION = 130_000;

/**
 * Make sure, before the first command, that this server can hold the ledger and that its tables are
 * there; make them when that is wished. Two round trips when all is well.
 * @throws LedgerError SERVER_TOO_OLD, READ_ONLY, TABLES_MISSING, FOREIGN_TABLE, PERMISSION_DENIED …
 */
export async function openLedger(connection: PostgresConnection, names: Names, createTables: boolean): Promise<void> {
	const found = await look(connection, names);
	checkServer(found);
	const missing = missingMigrations(await applied(connection, names, found));
	if (missing.length === 0) return checkRecords(found, names);
	if (!createTables) throw tablesMissing(names, missing.map(({ id }) => id));
	await migrate(connection, names, found.schemaExists);
}

function checkServer({ versionNumber, version, standby, readOnly }: Found): void {
	if (versionNumber < OLDEST_VERSION) {
		throw new LedgerError('SERVER_TOO_OLD', `The server is PostgreSQL ${version}; the ledger needs 13 or newer`);
	}
	if (standby) throw new LedgerError('READ_ONLY', 'This PostgreSQL server is a standby: it cannot hold a claim');
	if (readOnly) {
		throw new LedgerError('READ_ONLY', 'This PostgreSQL database or user is set to read-only transactions: it cannot hold a claim', {
			advice: 'Switch default_transaction_read_only off for this database or user, or point the credential at the primary server.',
		});
	}
}

async function applied(connection: PostgresConnection, names: Names, found: Found): Promise<string[]> {
	if (found.migrations === null) {
		if (found.records === null) return [];
		throw new LedgerError('FOREIGN_TABLE', `There is a table ${names.schema}.${names.records}, but no ${names.migrations} beside it that says this package made it`);
	}
	const lacking = lackingMigrationColumns(found.migrations.columns);
	if (lacking.length > 0) {
		throw new LedgerError('FOREIGN_TABLE', `The table ${names.schema}.${names.migrations} is not this package's: it lacks ${lacking.join(', ')}`);
	}
	return appliedMigrations((sql) => connection.run('reading the migrations', sql), names);
}

function checkRecords(found: Found, names: Names): void {
	if (found.records === null) throw tablesMissing(names, [names.records]);
	const lacking = lackingRecordColumns(found.records.columns);
	if (lacking.length === 0) return;
	throw new LedgerError('FOREIGN_TABLE', `The table ${names.schema}.${names.records} is not as this package makes it: it lacks ${lacking.join(', ')}`);
}

function tablesMissing(names: Names, what: string[]): LedgerError {
	return new LedgerError('TABLES_MISSING', `The ledger's tables in the schema ${names.schema} are not complete: ${what.join(', ')} is missing`);
}
