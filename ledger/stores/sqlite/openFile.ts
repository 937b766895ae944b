import { closeSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { SqliteSettings } from '../../core/settings';
import { openingError, toLedgerError } from './errors';
import { loadSqlite } from './loadSqlite';
import { migrate } from './migrate';
import { checkKind, gone, isKnown, placeOf, recognise, refuseIfGone } from './place';
import { statements } from './statements.generated';

export type Statements = Record<keyof typeof statements, StatementSync>;

/** An open ledger file with its prepared statements. */
export interface OpenFile {
	path: string;
	database: DatabaseSync;
	statements: Statements;
	/** which files were at the path when it was opened */
	place: string;
}

/** How long SQLite itself waits for a lock, blocking the whole process; LedgerFile waits on without blocking. */
const BLOCKING_WAIT_MS = 5;

/**
 * Open the file, make it if there is none, and bring its tables up to date.
 * @throws LedgerError FILE_UNUSABLE, FOREIGN_TABLE; errors of SQLite and of the file system as they are
 */
export function openFile({ folder, fileName }: SqliteSettings): OpenFile {
	// The folder is the admin's (it may be a link to a volume); only the name is typed by users.
	const path = join(realpathSync(folder), fileName);
	refuseIfGone(path);
	if (!checkKind(path)) {
		if (isKnown(path)) throw gone(path);
		create(path);
	}
	const { DatabaseSync } = loadSqlite();
	const database = new DatabaseSync(path, { allowExtension: false });
	try {
		database.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}; PRAGMA trusted_schema = OFF`);
		recognise(path, migrate(database, fileName));
		return { path, database, statements: prepare(database), place: placeOf(path) };
	} catch (error) {
		database.close();
		throw openingError(error, fileName);
	}
}

/** An empty file only its owner may read: the mode that SQLite then gives to its log as well. */
function create(path: string): void {
	try {
		closeSync(openSync(path, 'wx', 0o600));
	} catch (error) {
		// Another process made it in this moment.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toLedgerError(error);
	}
}

/** Every statement is prepared at once, so that a table of another shape is found before any command. */
function prepare(database: DatabaseSync): Statements {
	const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
	return Object.fromEntries(prepared) as Statements;
}
