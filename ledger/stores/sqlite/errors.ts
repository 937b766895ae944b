import { isLedgerError, LedgerError } from '../../core/errors';
import type { LedgerErrorCode } from '../../core/errors';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); extended codes hold them in the low byte. */
const RESULT_CODES: Record<number, { code: LedgerErrorCode; message: string }> = {
	3: { code: 'FILE_UNUSABLE', message: 'The ledger file may not be opened' },
	5: { code: 'BUSY', message: 'Another process held the lock on the ledger file for longer than the command time-out' },
	6: { code: 'BUSY', message: 'Another process held a lock on the ledger for longer than the command time-out' },
	7: { code: 'OUT_OF_SPACE', message: 'There was not enough memory to use the ledger file' },
	8: { code: 'FILE_UNUSABLE', message: 'The ledger file or its folder is read-only' },
	10: { code: 'FILE_UNUSABLE', message: 'The ledger file could not be read or written (input/output error)' },
	11: { code: 'FILE_UNUSABLE', message: 'The ledger file is corrupt' },
	13: { code: 'OUT_OF_SPACE', message: 'The disk of the ledger file is full' },
	14: { code: 'FILE_UNUSABLE', message: 'The ledger file could not be opened' },
	18: { code: 'VALUE_TOO_LARGE', message: 'The record is too large for the ledger file' },
	23: { code: 'FILE_UNUSABLE', message: 'The ledger file may not be used' },
	26: { code: 'FILE_UNUSABLE', message: 'The ledger file is not a SQLite database' },
};

/** Errors of the file system, met before SQLite has the file. */
const SYSTEM_CODES: Record<string, { code: LedgerErrorCode; message: string }> = {
	EACCES: { code: 'FILE_UNUSABLE', message: 'n8n has no right to the folder of the ledger file' },
	EPERM: { code: 'FILE_UNUSABLE', message: 'n8n has no right to the folder of the ledger file' },
	EROFS: { code: 'FILE_UNUSABLE', message: 'The folder of the ledger file is on a read-only file system' },
	ENOENT: { code: 'FILE_UNUSABLE', message: 'The folder of the ledger file does not exist' },
	ENOTDIR: { code: 'FILE_UNUSABLE', message: 'The folder of the ledger file is not a folder' },
	ELOOP: { code: 'FILE_UNUSABLE', message: 'The folder of the ledger file is a symbolic link to itself' },
	EMFILE: { code: 'FILE_UNUSABLE', message: 'n8n has too many files open' },
	ENOSPC: { code: 'OUT_OF_SPACE', message: 'The disk of the ledger file is full' },
	EDQUOT: { code: 'OUT_OF_SPACE', message: 'The disk quota of n8n is used up' },
};

/** Somebody else holds the file at this moment; nothing was done, so trying again is safe. */
export function isBusy(error: unknown): boolean {
	const code = resultCode(error);
	return code === 5 || code === 6;
}

/** The one place where errors of SQLite and of the file system become the ledger's own. */
export function toLedgerError(error: unknown): LedgerError {
	if (isLedgerError(error)) return error;
	const code = resultCode(error);
	const known = code === null ? SYSTEM_CODES[systemCode(error)] : RESULT_CODES[code];
	if (known !== undefined) return new LedgerError(known.code, known.message, { cause: error });
	const what = code === null ? '' : ` (SQLite result code ${code})`;
	return new LedgerError('UNEXPECTED', `The ledger file could not be used${what}`, { cause: error });
}

/**
 * An error met before the first command. The statements are fixed, so a logic error (1) means that
 * the tables are of another shape. A lock stays the driver's own error: waiting helps.
 */
export function openingError(error: unknown, fileName: string): unknown {
	if (isBusy(error)) return error;
	if (resultCode(error) !== 1) return toLedgerError(error);
	return new LedgerError('FOREIGN_TABLE', `The tables in the ledger file ${fileName} have another shape than this version makes`, {
		advice: 'Choose another file name in the credential.',
		cause: error,
	});
}

function resultCode(error: unknown): number | null {
	if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
	return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

function systemCode(error: unknown): string {
	// Not `instanceof Error`: errors of node:fs are made in another realm when a sandbox runs us.
	const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
	return typeof code === 'string' ? code : '';
}
