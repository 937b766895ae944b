import type { Json, LedgerRecord, Owner, StoredError } from './record';
import type { ExpiredLeasePolicy, OutcomeWord } from './states';

/** Proof of a claim: what a seal, an extension or a release has to show. */
export interface ClaimHandle {
	key: string;
	token: string;
	attempt: number;
}

/** The parts a key was made of; kept on the record so that people can search by them. */
export interface KeyParts {
	key: string;
	operation: string;
	businessId: string;
	scope: string | null;
	version: string | null;
}

export interface ClaimCommand extends KeyParts {
	/** fencing token to hold if the claim succeeds: new for every claim, the same only for a repeated try of one run */
	token: string;
	/** at least 1 */
	leaseMs: number;
	policy: ExpiredLeasePolicy;
	/** at least 1 */
	maxAttempts: number;
	/** 0 = for ever */
	retentionSeconds: number;
	fingerprint: string | null;
	fingerprintFields: string | null;
	correlationId: string | null;
	owner: Owner;
	ephemeral: boolean;
}

export interface SealCommand extends ClaimHandle, KeyParts {
	word: OutcomeWord;
	result: Json;
	externalId: string | null;
	error: StoredError | null;
	/** delay until the next attempt may be claimed; used when the word leads to a retry */
	retryDelayMs: number;
	/** from the first claim; null = none */
	deadlineSeconds: number | null;
	/** true when n8n's Retry button repeated the effect of a claim made by another execution */
	rerun: boolean;
	/** true for the key of a manual run kept apart; an orphan made of it is forgotten as such */
	ephemeral: boolean;
	/** false switches the look for other keys with this external ID off (updates) */
	externalIdIsUnique: boolean;
	executionId: string | null;
}

export interface ExtendCommand extends ClaimHandle {
	/** at least 1 */
	extendMs: number;
}

export interface ReleaseCommand extends ClaimHandle {
	rerun: boolean;
	executionId: string | null;
}

export interface ResolveCommand {
	key: string;
	/** the token and revision the decision was made on; both have to match, also when forced */
	token: string;
	revision: number;
	decision: 'succeeded' | 'retry' | 'failed';
	force: boolean;
	who: string;
	why: string;
	result: Json;
	externalId: string | null;
	/** with `retry`: forget the fingerprint, so that a corrected payload may be claimed */
	acceptChangedPayload: boolean;
	executionId: string | null;
}

/** Moves claims that nobody came back for to review; of any keys, not of one. */
export interface ExpireCommand {
	/** how many at most: 1 … 1,000 */
	limit: number;
	/** only leases that have been over for at least so long */
	graceMs: number;
	operation?: string;
	scope?: string;
}

export type ClaimOutcome = 'claimed' | 'succeeded' | 'in_progress' | 'needs_review' | 'conflict';
export type SealOutcome = 'sealed' | 'already_sealed' | 'stale' | 'not_found';
export type ExtendOutcome = 'extended' | 'not_found' | 'stale' | 'already_sealed' | 'needs_review';
export type ReleaseOutcome = 'released' | 'stale' | 'already_sealed' | 'needs_review' | 'refused';
export type ResolveOutcome = 'resolved' | 'not_found' | 'stale_decision' | 'refused';
export type ExpireOutcome = 'expired' | 'kept';

/**
 * More about an outcome:
 * - conflict: `payload_differs`, `fields_differ`, `fingerprint_missing`
 * - claimed: `first`, `retry`, `takeover`, `own` (the answer to an earlier try was lost)
 * - sealed: `again` (said before), `anomaly` (succeeded, but something happened twice)
 */
export type AnswerDetail =
	| 'payload_differs'
	| 'fields_differ'
	| 'fingerprint_missing'
	| 'first'
	| 'retry'
	| 'takeover'
	| 'own'
	| 'again'
	| 'anomaly';

/** What one command did. Every outcome is a value; only infrastructure failures throw. */
export interface Answer<Outcome extends string> {
	outcome: Outcome;
	detail: AnswerDetail | null;
	/** the record after the command; null when there is none */
	record: LedgerRecord | null;
	/** the store's clock when it decided, epoch ms */
	at: number;
}
