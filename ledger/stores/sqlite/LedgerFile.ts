import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

import { LedgerError } from '../../core/errors';
import type { SqliteSettings } from '../../core/settings';
import { isBusy, toLedgerError } from './errors';
import { openFile } from './openFile';
import type { OpenFile } from './openFile';
import { gone, placeOf, refuseIfGone } from './place';

/**
 * The connection: opens on first use, runs short synchronous steps, and waits for other processes
 * without blocking this one. A step runs from BEGIN to COMMIT in one go, so that two calls of this
 * process never meet inside a transaction.
 */
export class LedgerFile {
	private open: OpenFile | null = null;
	private closed = false;

	constructor(
		private readonly settings: SqliteSettings,
		private readonly clock: () => number,
	) {}

	/** One call's patience: it ends, with BUSY, when `commandTimeoutMs` have gone by in waiting for locks. */
	begin(): Call {
		this.checkOpen();
		const deadline = performance.now() + this.settings.commandTimeoutMs;
		return {
			read: (step) => this.untilFree(deadline, (file) => step(file, this.clock())),
			write: (step) => this.untilFree(deadline, (file) => this.transaction(file, step)),
		};
	}

	/** Safe to call twice. SQLite writes its log into the file when the last process lets go. */
	close(): void {
		this.closed = true;
		this.drop();
	}

	private async untilFree<T>(deadline: number, step: (file: OpenFile) => T): Promise<T> {
		// A turn of the event loop before each step: without it, neither the steps of a big batch nor a
		// caller's own loop of single commands would let anything else in n8n run.
		await turn();
		for (;;) {
			try {
				return this.attempt(step);
			} catch (error) {
				if (!isBusy(error) || performance.now() >= deadline) throw toLedgerError(error);
			}
			// At random, so that two waiting processes don't keep meeting.
			await sleep(2 + Math.random() * 18);
		}
	}

	private attempt<T>(step: (file: OpenFile) => T): T {
		this.checkOpen();
		const file = (this.open ??= openFile(this.settings));
		const answer = step(file);
		// Last, and after a commit: an answer may only go out if the ledger that holds it is still in place.
		this.checkPlace(file);
		return answer;
	}

	private transaction<T>(file: OpenFile, step: (file: OpenFile, now: number) => T): T {
		const { database } = file;
		// IMMEDIATE takes the write lock now; to read first and write later could fail half-way.
		database.exec('BEGIN IMMEDIATE');
		try {
			// The clock is read under the lock: whoever decides later has the later time. It is this
			// machine's wall clock, taken as it is. When it is set back, leases and waits last longer,
			// which is safe; to hold it at the newest time ever stored would make one wrong forward step
			// freeze every lease for as long.
			const answer = step(file, this.clock());
			database.exec('COMMIT');
			return answer;
		} catch (error) {
			this.rollBack(file);
			throw toDriverOrLedgerError(error);
		}
	}

	private rollBack({ database }: OpenFile): void {
		try {
			database.exec('ROLLBACK');
		} catch {
			// SQLite rolled back by itself, or can't any more. A new connection knows for certain.
			this.drop();
		}
	}

	private checkPlace({ path, place }: OpenFile): void {
		refuseIfGone(path);
		if (placeOf(path) === place) return;
		this.drop();
		throw gone(path);
	}

	private checkOpen(): void {
		if (this.closed) throw new LedgerError('CLOSED', 'The ledger was closed');
	}

	private drop(): void {
		const file = this.open;
		this.open = null;
		try {
			file?.database.close();
		} catch {
			// Nothing depends on it: every commit was on disk before it was answered.
		}
	}
}

/** How the methods of one call of the store use the file. */
export interface Call {
	/** @throws LedgerError */
	read<T>(step: (file: OpenFile, now: number) => T): Promise<T>;
	/** One transaction; what `step` throws rolls it back. @throws LedgerError */
	write<T>(step: (file: OpenFile, now: number) => T): Promise<T>;
}

/** `untilFree` has to see the driver's own error, to know whether waiting helps. */
function toDriverOrLedgerError(error: unknown): unknown {
	return isBusy(error) ? error : toLedgerError(error);
}
