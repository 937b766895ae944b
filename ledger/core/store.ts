import type {
	Answer,
	ClaimCommand,
	ClaimOutcome,
	ExpireCommand,
	ExtendCommand,
	ExtendOutcome,
	ReleaseCommand,
	ReleaseOutcome,
	ResolveCommand,
	ResolveOutcome,
	SealCommand,
	SealOutcome,
} from './commands';
import type { ChangesPage, ChangesQuery } from './feed';
import type { LedgerRecord } from './record';
import type { LedgerState } from './states';

/** Which records to list. Every given field narrows; order is oldest first by creation, then key. */
export interface ListQuery {
	states?: LedgerState[];
	operation?: string;
	scope?: string;
	externalId?: string;
	correlationId?: string;
	/** only processing records whose lease is over */
	stuck?: boolean;
	/** only records whose last change is at least this long ago */
	unchangedForMs?: number;
	/** 1 … 1,000 */
	limit: number;
	/** `nextCursor` of the page before; opaque, and valid while records come and go */
	cursor?: string;
}

export interface ListPage {
	records: LedgerRecord[];
	/** null on the last page */
	nextCursor: string | null;
	/** the store's clock, epoch ms */
	at: number;
}

export interface OperationStatistics {
	operation: string;
	states: Record<LedgerState, number>;
	duplicates: number;
	conflicts: number;
	takeovers: number;
	staleSeals: number;
	/** age of the oldest record in processing, ms; null when there is none */
	oldestProcessingMs: number | null;
	/** age, since it came there, of the oldest record in review, ms */
	oldestReviewMs: number | null;
	/** processing records whose lease is over */
	stuck: number;
}

export interface Statistics {
	/** one entry per operation, in alphabetical order */
	operations: OperationStatistics[];
	at: number;
}

/** One thing a connection test found. A `problem` breaks a guarantee and fails the test. */
export interface Finding {
	level: 'ok' | 'warning' | 'problem';
	text: string;
}

export interface StoreReport {
	/** e.g. `PostgreSQL 16.14`, `Redis 7.0.15 (standalone)` */
	server: string;
	findings: Finding[];
}

export type StoreKind = 'memory' | 'postgres' | 'redis' | 'sqlite';

/**
 * The ledger's one contract. Each store keeps it natively: every command is one atomic step on the
 * store's own clock, decided by the rules in `transitions/` (the executable specification).
 *
 * - Commands come in batches and are answered in the same order, in one round trip where the store
 *   can. Commands of one batch for the same key act one after the other, in order.
 * - A record past its `expiresAt` is absent for every command and every read, purged or not.
 * - Outcomes are values. A throw is a `LedgerError`: the ledger couldn't be asked, or its answer
 *   didn't come. What a thrown command did is not known; claims and seals can be repeated as they are.
 * - No method hangs: each has a time-out.
 */
export interface LedgerStore {
	readonly kind: StoreKind;

	/** Become owner of the next attempt of each key, or learn why not. */
	claim(commands: ClaimCommand[]): Promise<Array<Answer<ClaimOutcome>>>;

	/** Record each attempt's outcome, if its holder still holds. */
	seal(commands: SealCommand[]): Promise<Array<Answer<SealOutcome>>>;

	/** Prolong leases; never shortens one. */
	extend(commands: ExtendCommand[]): Promise<Array<Answer<ExtendOutcome>>>;

	/** Give claims back whose effect was certainly not attempted. */
	release(commands: ReleaseCommand[]): Promise<Array<Answer<ReleaseOutcome>>>;

	/** A person's decisions, each on the revision and token looked at. */
	resolve(commands: ResolveCommand[]): Promise<Array<Answer<ResolveOutcome>>>;

	/**
	 * Move claims whose lease ran out to review, as a claim of their key would, longest over first (in
	 * stores with shards: about). Those that may be taken over stay. Returns the records it moved, as they
	 * are now. Each record is one atomic step; what somebody else holds at that moment is left for the
	 * next time. Safe at any time, by anyone.
	 */
	expire(command: ExpireCommand): Promise<LedgerRecord[]>;

	/** Read on in a feed. Changes nothing. See `feedReader.ts` for how to miss nothing and repeat nothing. */
	changes(query: ChangesQuery): Promise<ChangesPage>;

	/** Read records; null where there is none. Changes nothing. */
	get(keys: string[]): Promise<{ records: Array<LedgerRecord | null>; at: number }>;

	/** Read a page of records, oldest first. Changes nothing. */
	list(query: ListQuery): Promise<ListPage>;

	/** Count records by operation and state. Changes nothing. */
	statistics(): Promise<Statistics>;

	/** Remove at most `limit` expired records; returns how many went. Safe at any time, by anyone. */
	purge(limit: number): Promise<number>;

	/** Look for everything that would break a guarantee: rights, tables, server role, persistence. */
	inspect(): Promise<StoreReport>;

	/** Let go of connections and files. Commands after it throw `CLOSED`. */
	close(): Promise<void>;
}
