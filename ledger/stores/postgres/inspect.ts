import { isLedgerError } from '../../core/errors';
import type { PostgresSettings } from '../../core/settings';
import type { Finding, StoreReport } from '../../core/store';
import type { PostgresConnection } from './connection';
import type { Names } from './identifiers';
import { look } from './look';
import type { Found, FoundTable } from './look';
import { appliedMigrations, missingMigrations } from './migrate';
import { OLDEST_VERSION } from './opening';
import { lackingMigrationColumns, lackingRecordColumns } from './shape';

const ok = (text: string): Finding => ({ level: 'ok', text });
const warning = (text: string): Finding => ({ level: 'warning', text });
const problem = (text: string): Finding => ({ level: 'problem', text });

/**
 * What the connection test tells. Changes nothing, and finds as much as it can at once.
 * @throws LedgerError when the server can't be asked at all
 */
export async function inspectLedger(
	connection: PostgresConnection,
	names: Names,
	settings: PostgresSettings,
): Promise<StoreReport> {
	const found = await look(connection, names);
	return {
		server: `PostgreSQL ${found.version}`,
		findings: [
			...aboutServer(found),
			...aboutDurability(found),
			...aboutConnections(found, settings),
			...(await aboutTables(connection, names, settings, found)),
		],
	};
}

function aboutServer(found: Found): Finding[] {
	return [
		...(found.versionNumber < OLDEST_VERSION ? [problem(`PostgreSQL ${found.version} is too old: 13 or newer is needed`)] : []),
		found.standby
			? problem('The server is a standby, which cannot hold a claim: enter the host of the primary')
			: found.readOnly
				? problem('Transactions are read-only here (default_transaction_read_only), so a claim cannot be written: enter the primary, or switch the setting off for this user')
				: ok('The server is the primary and takes writes'),
		...(found.serverEncoding === 'UTF8'
			? []
			: [warning(`The database has the encoding ${found.serverEncoding}, not UTF8: results with characters outside of it cannot be stored`)]),
	];
}

/** Settings under which a server that crashes forgets claims it has answered (guarantees G1, G2). */
function aboutDurability(found: Found): Finding[] {
	const findings: Finding[] = [];
	if (found.synchronousCommit === 'off') {
		findings.push(ok('synchronous_commit is off, but the ledger switches it on for its own writes'));
	}
	const harm = 'a crash of the machine can destroy the ledger. Switch it on in the configuration of the server';
	if (found.fsync === 'off') findings.push(problem(`fsync is off: ${harm}`));
	if (found.fullPageWrites === 'off') findings.push(problem(`full_page_writes is off: ${harm}`));
	return findings;
}

function aboutConnections(found: Found, { maxConnections }: PostgresSettings): Finding[] {
	const limits: Array<[string, number | null]> = [
		['the server allows', found.connections],
		['the database allows', found.databaseConnections],
		['the user may have', found.roleConnections],
	];
	return limits
		.filter(([, limit]) => limit !== null && maxConnections > limit)
		.map(([who, limit]) => warning(`Max Connections is ${maxConnections} per n8n process, but ${who} ${limit} in all`));
}

async function aboutTables(
	connection: PostgresConnection,
	names: Names,
	settings: PostgresSettings,
	found: Found,
): Promise<Finding[]> {
	if (found.records === null && found.migrations === null) return [aboutCreating(found, names, settings)];
	if (found.migrations === null) {
		return [problem(`There is a table ${names.schema}.${names.records} that this package did not make: choose another schema or table prefix`)];
	}
	if (!found.mayUseSchema) return [problem(`The user ${found.role} lacks USAGE on the schema ${names.schema}: grant it`)];
	const rights = [
		...missingRights(names.migrations, found.migrations, found, names),
		...(found.records ? missingRights(names.records, found.records, found, names) : []),
	];
	return [...rights, ...(await aboutMigrations(connection, names, settings, found))];
}

function aboutCreating(found: Found, names: Names, settings: PostgresSettings): Finding {
	if (!settings.createTables) {
		return problem(`The tables ${names.records} and ${names.migrations} are missing in the schema ${names.schema}, and Create Tables is off: switch it on, or let a DBA run the migrations of the package`);
	}
	return found.mayCreate
		? ok(`The tables are not there yet; the first claim creates them in the schema ${names.schema}`)
		: problem(`The user ${found.role} may not create the tables: it lacks CREATE on the ${found.schemaExists ? `schema ${names.schema}` : 'database'}. Grant it, or let a DBA create them`);
}

function missingRights(table: string, { rights }: FoundTable, found: Found, names: Names): Finding[] {
	const missing = Object.keys(rights).filter((right) => !rights[right]);
	return missing.length === 0
		? []
		: [problem(`The user ${found.role} lacks ${missing.join(', ')} on ${names.schema}.${table}: grant it`)];
}

async function aboutMigrations(
	connection: PostgresConnection,
	names: Names,
	settings: PostgresSettings,
	{ records, migrations }: Found,
): Promise<Finding[]> {
	const lacking = lackingMigrationColumns(migrations!.columns);
	if (lacking.length > 0) {
		return [problem(`The table ${names.schema}.${names.migrations} is not this package's, it lacks ${lacking.join(', ')}: choose another schema or table prefix`)];
	}
	if (!migrations!.rights.SELECT) return [];
	let missing: string[];
	try {
		const applied = await appliedMigrations((sql) => connection.run('reading the migrations', sql), names);
		missing = missingMigrations(applied).map(({ id }) => id);
	} catch (error) {
		return [problem(isLedgerError(error) ? error.message : 'The list of migrations could not be read')];
	}
	if (missing.length > 0) {
		const text = `Migrations are missing: ${missing.join(', ')}`;
		return [settings.createTables ? ok(`${text}; the first claim runs them`) : problem(`${text}, and Create Tables is off: switch it on, or let a DBA run them`)];
	}
	const columns = records === null ? ['every column'] : lackingRecordColumns(records.columns);
	return columns.length > 0
		? [problem(`The table ${names.schema}.${names.records} is not as this package makes it: it lacks ${columns.join(', ')}`)]
		: [ok(`The tables in the schema ${names.schema} are complete`)];
}
