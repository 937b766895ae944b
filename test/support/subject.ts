import type { LedgerRecord } from '../../ledger/core/record';
import type { LedgerStore } from '../../ledger/core/store';

/**
 * A store under test. Every suite takes one and runs unchanged on memory, PostgreSQL, Redis and
 * SQLite: `describeContract(postgres)` is all a store's own test file says.
 */
export interface Subject {
	name: string;
	/** An empty ledger of its own (schema, prefix or file) on the running server. */
	open(): Promise<OpenSubject>;
}

export interface OpenSubject {
	store: LedgerStore;
	/** A second client of the same ledger, with connections of its own; closed with the subject. */
	another(): Promise<LedgerStore>;
	/**
	 * Write a record exactly as given, around all rules, indexes included. It is how a test makes any
	 * state, and how time passes: read, shift the times into the past, put back.
	 */
	put(record: LedgerRecord): Promise<void>;
	/** Let go of everything and remove the ledger. */
	close(): Promise<void>;
}
