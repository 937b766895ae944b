import type { DatabaseSync } from 'node:sqlite';

import { LedgerError } from '../../core/errors';
import { migrations } from './migrations.generated';
import { statements } from './statements.generated';

/** "idem" in ASCII: what tells a ledger from any other SQLite file (https://sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x6964656d;
/** user_version: how many migrations of the list the file has seen. */
export const SCHEMA_VERSION: number = migrations.length;

/**
 * Bring the file's tables up to date; returns the file's identity. A file that isn't ours is only
 * read, never changed: n8n's own database may lie in the same folder. After an error the connection
 * has to be closed, which rolls back.
 * @throws LedgerError FOREIGN_TABLE, FILE_UNUSABLE; errors of SQLite as they are
 */
export function migrate(database: DatabaseSync, fileName: string): string {
	versionOf(database, fileName);
	if (pragma(database, 'journal_mode = WAL') !== 'wal') {
		throw new LedgerError('FILE_UNUSABLE', 'The file system of the ledger file cannot do write-ahead logging', {
			advice: 'Put the folder of n8n on a local disk, or choose PostgreSQL or Redis as the store.',
		});
	}
	// FULL: a claim that was answered survives a power cut, not only a crash of the process.
	database.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216; BEGIN IMMEDIATE');
	// Read again under the lock: another process may have been first.
	const version = versionOf(database, fileName);
	if (version < SCHEMA_VERSION) {
		for (const { sql } of migrations.slice(version)) database.exec(sql);
		database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
	}
	const row = database.prepare('SELECT identity FROM ledger_identity').get();
	database.exec('COMMIT');
	return String(row?.identity);
}

function versionOf(database: DatabaseSync, fileName: string): number {
	const { application, version: stored, tables } = database.prepare(statements.identifyFile).get() ?? {};
	const version = Number(stored);
	if (application === APPLICATION_ID) {
		if (version <= SCHEMA_VERSION) return version;
		throw new LedgerError('FOREIGN_TABLE', `The ledger file ${fileName} was made by a newer version of this package`, {
			advice: 'Update the package in every n8n process that uses the file, or choose another file name.',
		});
	}
	if (application === 0 && version === 0 && tables === 0) return 0;
	throw new LedgerError('FOREIGN_TABLE', `The file ${fileName} is a database of something else, not a ledger of this package`, {
		advice: 'Choose another file name in the credential.',
	});
}

/** The one value that a pragma answers with. */
export function pragma(database: DatabaseSync, text: string): unknown {
	return Object.values(database.prepare(`PRAGMA ${text}`).get() ?? {})[0];
}
