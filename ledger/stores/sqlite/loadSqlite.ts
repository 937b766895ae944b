import { LedgerError } from '../../core/errors';

type Sqlite = typeof import('node:sqlite');

/**
 * The runtime's own SQLite, loaded only when this store is chosen.
 * @throws LedgerError RUNTIME_TOO_OLD before Node.js 22.13
 */
export function loadSqlite(): Sqlite {
	const sqlite = quietly(() => process.getBuiltinModule?.('node:sqlite'));
	if (sqlite !== undefined) return sqlite;
	throw new LedgerError(
		'RUNTIME_TOO_OLD',
		`The embedded ledger needs Node.js 22.13 or newer; n8n runs on Node.js ${process.versions.node}`,
	);
}

/**
 * Node.js 22 warns on stderr that SQLite is experimental; an admin would take it for a fault of the
 * workflow. Only this load is quiet: it is synchronous, so no other warning can fall into it.
 */
function quietly<T>(load: () => T): T {
	const { emitWarning } = process;
	process.emitWarning = () => undefined;
	try {
		return load();
	} finally {
		process.emitWarning = emitWarning;
	}
}
