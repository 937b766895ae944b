import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LedgerError } from '../../../ledger/core/errors';
import type { SqliteSettings } from '../../../ledger/core/settings';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { sqliteSettings } from '../../support/subjects/sqlite';

/** The error code of a store made with these settings, or null. */
function refusal(changes: Partial<SqliteSettings>): string | null {
	try {
		new SqliteStore(sqliteSettings('/n8n', changes));
		return null;
	} catch (error) {
		expect(error).toBeInstanceOf(LedgerError);
		return (error as LedgerError).code;
	}
}

describe('The ledger file has a name, never a path', () => {
	test.each(['ledger', 'ledger.sqlite', 'idempotency.db', 'A-1_b.sqlite', '0', 'x'.repeat(64)])('%s is a name', (fileName) => {
		expect(refusal({ fileName })).toBeNull();
	});

	test.each([
		['nothing', ''],
		['a way up', '../database.sqlite'],
		['a way up in the middle', 'a/../../b.sqlite'],
		['a folder', 'sub/ledger.sqlite'],
		['a Windows folder', 'sub\\ledger.sqlite'],
		['an absolute path', '/etc/passwd'],
		['a drive', 'C:ledger.sqlite'],
		['an alternate data stream', 'ledger.sqlite:hidden'],
		['this folder', '.'],
		['the folder above', '..'],
		['only dots', '...'],
		['a hidden file', '.bashrc'],
		['another extension', 'config.json'],
		['two extensions', 'ledger.db.sqlite'],
		['a dot at the end, which Windows drops', 'ledger.'],
		['a space at the end, which Windows drops', 'ledger '],
		['a NUL', 'ledger\0.sqlite'],
		['a line break at the end', 'ledger.sqlite\n'],
		['a URI with options', 'file:ledger?mode=memory'],
		['memory', ':memory:'],
		['an escape', '%2e%2e%2fledger'],
		['a letter outside ASCII', 'lédger'],
		['a dash first, an option to many tools', '-ledger'],
		['65 letters', 'x'.repeat(65)],
		['the console', 'con'],
		['the null device with an extension', 'NUL.sqlite'],
		['a serial port', 'Com1.db'],
		['a printer', 'lpt9'],
		['the log of another file', 'ledger-wal'],
		['the shared memory of another file', 'ledger-SHM'],
		['the journal of another file', 'ledger-journal'],
	])('%s is refused', (_what, fileName) => {
		expect(refusal({ fileName })).toBe('INVALID_SETTINGS');
	});

	test.each([
		['relative', 'data'],
		['empty', ''],
		['cut by a NUL', '/n8n\0/x'],
	])('a folder that is %s is refused', (_what, folder) => {
		expect(refusal({ folder })).toBe('INVALID_SETTINGS');
	});

	test('what is not a text is refused', () => {
		expect(refusal({ fileName: undefined as unknown as string })).toBe('INVALID_SETTINGS');
		expect(refusal({ fileName: ['ledger'] as unknown as string })).toBe('INVALID_SETTINGS');
	});

	test('a refused name touches no disk and is not repeated in the error', () => {
		const fileName = join(tmpdir(), 'idempotency-must-not-exist.sqlite');
		expect(() => new SqliteStore(sqliteSettings(tmpdir(), { fileName }))).toThrow(/^((?!must-not-exist).)*$/);
		expect(existsSync(fileName)).toBe(false);
	});
});

describe('In queue mode each process could have a ledger of its own', () => {
	test('so it is refused', () => expect(refusal({ queueMode: true })).toBe('NOT_SHARED'));
	test('unless the user says that all share the file', () => expect(refusal({ queueMode: true, shared: true })).toBeNull());
});
