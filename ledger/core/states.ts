/** The five states a record can be in. Names are what people read in the ledger and in n8n. */
export const LEDGER_STATES = [
	'processing',
	'succeeded',
	'retryable_failed',
	'permanent_failed',
	'needs_review',
] as const;
export type LedgerState = (typeof LEDGER_STATES)[number];

/** Only these are ever forgotten; everything unsettled stays (guarantee G7). */
export const FINAL_STATES: readonly LedgerState[] = ['succeeded', 'permanent_failed'];

/**
 * Why a record is in its state, when the state alone doesn't say it.
 *
 * needs_review:
 * - `lease_expired`       the holder never came back; the effect may or may not have happened
 * - `unknown`             the holder itself doesn't know (time-out, 5xx, lost connection)
 * - `unknown_earlier`     this attempt failed for good, but an earlier one may have succeeded
 * - `late_success`        a holder that had been taken over reported success after all
 * - `mixed_outcomes`      the same attempt reported two outcomes
 * - `contradiction`       a person said failed, then the holder reported success
 * - `orphan_success`      a success arrived for a key the ledger has no record of
 * - `effect_rerun`        a failure described only a call repeated by n8n's Retry button
 *
 * retryable_failed: `retryable` (the holder's word), `released` (not attempted), `decided` (a person)
 * permanent_failed: `permanent`, `attempts_exhausted`, `deadline`, `decided`
 * succeeded:        null, or `decided`
 */
export type StateReason =
	| 'lease_expired'
	| 'unknown'
	| 'unknown_earlier'
	| 'late_success'
	| 'mixed_outcomes'
	| 'contradiction'
	| 'orphan_success'
	| 'effect_rerun'
	| 'retryable'
	| 'released'
	| 'permanent'
	| 'attempts_exhausted'
	| 'deadline'
	| 'decided';

/** What to do when a lease runs out with nobody coming back. */
export type ExpiredLeasePolicy = 'review' | 'take_over';

/**
 * What a holder says of its attempt.
 * `unknown_retryable` is an unknown outcome that may be retried because the destination honours the
 * idempotency key; the ledger still remembers that it was unknown.
 */
export const OUTCOME_WORDS = ['success', 'retryable', 'permanent', 'unknown', 'unknown_retryable'] as const;
export type OutcomeWord = (typeof OUTCOME_WORDS)[number];

/** The last word the holder gave for the current attempt; `released` when it gave the claim back. */
export type SealedWord = OutcomeWord | 'released';

export const isUnknownWord = (word: SealedWord | null): boolean =>
	word === 'unknown' || word === 'unknown_retryable';
