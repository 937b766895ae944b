import { lstatSync, statSync } from 'node:fs';

import { LedgerError } from '../../core/errors';

/**
 * What this process knows of each ledger file it ever opened.
 *
 * A ledger file that is deleted, replaced or restored while n8n runs is a memory lost without anybody
 * noticing: every claim made before it would be granted again. So the process remembers, and refuses
 * the file until n8n is restarted; the restart is a person's word that this is the ledger to go on
 * with. Going on by itself with whatever is found there would fail open. Kept on globalThis, since an
 * update of the package loads this module again within the same process.
 */
interface KnownFile {
	identity: string;
	gone: boolean;
}

const KNOWN = Symbol.for('n8n-nodes-idempotency.ledgerFiles');

function knownFiles(): Map<string, KnownFile> {
	const holder = globalThis as { [KNOWN]?: Map<string, KnownFile> };
	return (holder[KNOWN] ??= new Map());
}

/** @throws LedgerError FILE_UNUSABLE when this process had another file at that path */
export function refuseIfGone(path: string): void {
	if (knownFiles().get(path)?.gone) throw gone(path);
}

/** Whether this process had a ledger at that path: a missing file is then lost, not new. */
export function isKnown(path: string): boolean {
	return knownFiles().has(path);
}

/** @throws LedgerError FILE_UNUSABLE when the file isn't the one that this process had at that path */
export function recognise(path: string, identity: string): void {
	const known = knownFiles().get(path);
	if (known === undefined) knownFiles().set(path, { identity, gone: false });
	else if (known.identity !== identity) throw gone(path);
}

/** Remember that the file was lost; returns the error to throw. */
export function gone(path: string): LedgerError {
	const known = knownFiles().get(path);
	if (known) known.gone = true;
	return new LedgerError('FILE_UNUSABLE', 'The ledger file was deleted or replaced while n8n was running', {
		advice: 'Put the ledger file back, or decide to go on with an empty or older one, and restart n8n. What the lost file remembered may be done a second time.',
	});
}

/**
 * Which files are at that path now: the database and the two that SQLite keeps beside it while it is
 * open (losing the log is losing what was committed last). By stat, never by opening: closing a second
 * descriptor would drop the POSIX locks that SQLite holds for this process.
 */
export function placeOf(path: string): string {
	return ['', '-wal', '-shm']
		.map((suffix) => statSync(path + suffix, { bigint: true, throwIfNoEntry: false }))
		.map((found) => (found ? `${found.dev}:${found.ino}` : 'none'))
		.join(' ');
}

/**
 * Refuse what isn't a plain file of its own. Returns false when there is nothing at the path.
 * @throws LedgerError FILE_UNUSABLE
 */
export function checkKind(path: string): boolean {
	// lstat: a link is refused wherever it points. It could lead out of the folder, and SQLite would
	// keep its log beside the target.
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (found === undefined) return false;
	if (found.isSymbolicLink()) throw unusable('is a symbolic link');
	if (!found.isFile()) throw unusable('is not a plain file');
	// Two names, two logs: https://sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
	if (found.nlink > 1) throw unusable('has a second name (hard link)');
	return true;
}

const unusable = (what: string) => new LedgerError('FILE_UNUSABLE', `What carries the name of the ledger file ${what}`);
