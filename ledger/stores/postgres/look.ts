import type { PostgresConnection, Row } from './connection';
import type { Names } from './identifiers';
import { statements } from './statements.generated';

/** What is there: see sql/look.sql. */
export interface Found {
	versionNumber: number;
	version: string;
	standby: boolean;
	readOnly: boolean;
	synchronousCommit: string;
	fsync: string;
	fullPageWrites: string;
	serverEncoding: string;
	/** connections that ordinary users may have together */
	connections: number;
	/** limits of the role and of the database; null = none */
	roleConnections: number | null;
	databaseConnections: number | null;
	role: string;
	schemaExists: boolean;
	mayUseSchema: boolean;
	mayCreate: boolean;
	/** null = no such table */
	records: FoundTable | null;
	migrations: FoundTable | null;
}

export interface FoundTable {
	columns: Record<string, string>;
	rights: Record<string, boolean>;
}

/** One look at the server's catalogs; works whatever is wrong with the tables. */
export async function look(connection: PostgresConnection, names: Names): Promise<Found> {
	const [row] = await connection.run('looking at the server', statements.look, [names.schema, names.records, names.migrations]);
	return {
		versionNumber: Number(row.version_number),
		// "15.18 (Debian 15.18-0+deb12u1)"
		version: String(row.version).split(' ')[0],
		standby: row.standby === 't',
		readOnly: row.read_only === 't',
		synchronousCommit: String(row.synchronous_commit),
		fsync: String(row.fsync),
		fullPageWrites: String(row.full_page_writes),
		serverEncoding: String(row.server_encoding),
		connections: Number(row.connections),
		roleConnections: limit(row.role_connections),
		databaseConnections: limit(row.database_connections),
		role: String(row.role),
		schemaExists: row.schema_exists === 't',
		mayUseSchema: row.may_use_schema === 't',
		mayCreate: row.may_create === 't',
		records: table(row, 'records'),
		migrations: table(row, 'migrations'),
	};
}

function table(row: Row, name: 'records' | 'migrations'): FoundTable | null {
	const columns = row[`${name}_columns`];
	const rights = row[`${name}_rights`];
	if (columns === null || rights === null) return null;
	return { columns: JSON.parse(columns), rights: JSON.parse(rights) };
}

/** -1 means no limit. */
const limit = (text: string | null): number | null => (text === null || text === '-1' ? null : Number(text));
