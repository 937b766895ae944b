import type { ExpiredLeasePolicy, LedgerState, SealedWord, StateReason } from './states';

/** Any JSON value; what the ledger stores of a result. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Who claimed: enough to find the execution in n8n, nothing secret. */
export interface Owner {
	instanceId: string | null;
	workflowId: string | null;
	workflowName: string | null;
	executionId: string | null;
	nodeName: string | null;
}

/** An error as the ledger keeps it: already redacted and shortened by the caller. */
export interface StoredError {
	code: string | null;
	httpStatus: number | null;
	message: string;
}

export interface LateSuccess {
	attempt: number;
	externalId: string | null;
	/** epoch ms */
	at: number;
}

/**
 * Something that must not happen and did: the effect happened twice, or two keys share one external ID.
 * `second_effect`: another external ID for a key that has one. `shared_external_id`: `otherKey` has it too.
 */
export interface Anomaly {
	kind: 'second_effect' | 'shared_external_id';
	externalId: string;
	otherKey: string | null;
	/** epoch ms */
	at: number;
}

/** A person's (or a reconcile step's) decision that put the record into its present state. */
export interface Decision {
	decision: 'succeeded' | 'retry' | 'failed';
	who: string;
	why: string;
	/** epoch ms */
	at: number;
}

export interface Counters {
	/** claims answered by what is stored, or turned away */
	duplicates: number;
	/** claims refused because the payload differs */
	conflicts: number;
	/** expired leases handed to another claim */
	takeovers: number;
	/** seals from a holder that no longer holds */
	staleSeals: number;
}

export interface HistoryEntry {
	/** epoch ms */
	at: number;
	from: LedgerState | null;
	to: LedgerState;
	attempt: number;
	executionId: string | null;
	/** a StateReason, or what a person or a late holder changed */
	note: string | null;
	/** what a decision cleared from the record: result, late successes, anomalies */
	kept: Json;
}

/**
 * What the ledger keeps for one key. Every time is epoch milliseconds by the store's own clock.
 * `revision` grows by one with every change; counters alone don't change it.
 */
export interface LedgerRecord {
	key: string;
	operation: string;
	businessId: string;
	scope: string | null;
	version: string | null;
	revision: number;
	state: LedgerState;
	reason: StateReason | null;
	/** fencing token of the claim that holds, or last held, the record */
	token: string;
	/** from 1 */
	attempt: number;
	maxAttempts: number;
	policy: ExpiredLeasePolicy;
	/** version-prefixed SHA-256, or null when the claim named no fields */
	fingerprint: string | null;
	/** canonical text of the field list the fingerprint was made over */
	fingerprintFields: string | null;
	leaseExpiresAt: number | null;
	retryAt: number | null;
	deadlineAt: number | null;
	result: Json;
	externalId: string | null;
	lateSuccesses: LateSuccess[];
	anomalies: Anomaly[];
	/** an earlier attempt's outcome isn't known; cleared by success or a person */
	unknownEarlier: boolean;
	sealedWord: SealedWord | null;
	decidedBy: Decision | null;
	lastError: (StoredError & { at: number }) | null;
	correlationId: string | null;
	owner: Owner;
	counters: Counters;
	createdAt: number;
	updatedAt: number;
	completedAt: number | null;
	/** S and F (and every state of an ephemeral record) are treated as absent from this moment on */
	expiresAt: number | null;
	/** 0 = keep for ever */
	retentionSeconds: number;
	/** a manual run kept apart from production; forgotten in every state */
	ephemeral: boolean;
	history: HistoryEntry[];
}

/** The newest entries are kept; the list is for people, no rule reads it. */
export const HISTORY_LIMIT = 20;
/** Late successes and anomalies kept per record; rules only ask whether there is one, and its ID. */
export const INCIDENT_LIMIT = 5;
/** For records that no claim made: an orphan success. The nodes' defaults are the same. */
export const DEFAULT_MAX_ATTEMPTS = 5;
export const DEFAULT_RETENTION_SECONDS = 30 * 24 * 3600;
/** Manual runs kept apart are forgotten after an hour. */
export const EPHEMERAL_SECONDS = 3600;
