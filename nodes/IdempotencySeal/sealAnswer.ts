import type { IDataObject } from 'n8n-workflow';

import type {
	Answer,
	ExtendOutcome,
	ReleaseOutcome,
	ResolveOutcome,
	SealOutcome,
} from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import type { ClaimHandleJson } from '../shared/claimHandle';

/** Outputs of the node, in n8n's order. Output 0 is the good way: n8n's own gestures use it. */
export const OUTPUT = { sealed: 0, retry: 1, failed: 2, review: 3 } as const;
export type SealStatus = keyof typeof OUTPUT;
export const OUTPUT_NAMES = ['Sealed', 'Retry', 'Failed', 'Review'];

/** A Wait node's clock isn't the ledger's: a little more keeps the next claim from coming too early. */
const RETRY_MARGIN_MS = 250;

type AnyOutcome = SealOutcome | ExtendOutcome | ReleaseOutcome | ResolveOutcome;

/** Where an answer leaves: by the state it led to, and by Review whenever somebody has to look. */
export function statusOf({ outcome, detail, record }: Answer<AnyOutcome>): SealStatus {
	if (outcome === 'extended' || outcome === 'released') return 'sealed';
	if ((outcome !== 'sealed' && outcome !== 'resolved') || detail === 'anomaly' || record === null) return 'review';
	// Said again, after the answer that told of it was lost: somebody still has to look.
	if (record.anomalies.length > 0) return 'review';
	switch (record.state) {
		case 'succeeded':
			return 'sealed';
		case 'retryable_failed':
			return 'retry';
		case 'permanent_failed':
			return 'failed';
		default:
			return 'review';
	}
}

/**
 * What people and later nodes get to see of an answer. `status` names the output; after Extend Lease
 * it is still `claimed`, so that the item goes on as the claim's.
 */
export function answerJson(answer: Answer<AnyOutcome>): IDataObject {
	const { outcome, detail, record, at } = answer;
	const status = outcome === 'extended' ? 'claimed' : outcome === 'released' ? 'released' : statusOf(answer);
	const json: IDataObject = { status, outcome };
	if (detail !== null) json.detail = detail;
	if (record === null) return json;
	return { ...json, ...recordJson(record, at) };
}

/**
 * The same for a holder's command: with the holder's own token and attempt, never those of the claim
 * that holds now. An item that was late must not become able to seal somebody else's claim.
 */
export function holderJson(answer: Answer<AnyOutcome>, handle: ClaimHandleJson): IDataObject {
	return { ...handle, ...answerJson(answer), key: handle.key, token: handle.token, attempt: handle.attempt };
}

function recordJson(record: LedgerRecord, at: number): IDataObject {
	const json: IDataObject = {
		key: record.key,
		state: record.state,
		reason: record.reason,
		token: record.token,
		attempt: record.attempt,
		maxAttempts: record.maxAttempts,
		revision: record.revision,
		externalId: record.externalId,
	};
	if (record.leaseExpiresAt !== null) json.leaseExpiresAt = iso(record.leaseExpiresAt);
	if (record.retryAt !== null) {
		json.retryAt = iso(record.retryAt);
		json.retryInMs = retryInMs(record.retryAt, at);
	}
	if (record.lastError !== null) json.lastError = { ...record.lastError, at: iso(record.lastError.at) };
	if (record.anomalies.length > 0) json.anomalies = record.anomalies.map((one) => ({ ...one, at: iso(one.at) }));
	if (record.lateSuccesses.length > 0) {
		json.lateSuccesses = record.lateSuccesses.map((one) => ({ ...one, at: iso(one.at) }));
	}
	return json;
}

const retryInMs = (retryAt: number, at: number): number => Math.max(0, retryAt - at) + RETRY_MARGIN_MS;

/**
 * The wait that serves a whole batch: the longest of its retries, ms. n8n's Wait node reads the first
 * item only and holds all of them, so every item on Retry has to carry the same.
 */
export function waitForAll(answers: Array<Answer<AnyOutcome>>): number {
	return answers
		.filter((answer) => statusOf(answer) === 'retry')
		.reduce((longest, { record, at }) => Math.max(longest, retryInMs(record?.retryAt ?? at, at)), 0);
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Of several claims behind one item, the one that needs most attention names the output. */
export function mostUrgent<Outcome extends AnyOutcome>(answers: Array<Answer<Outcome>>): Answer<Outcome> {
	return answers.reduce((worst, one) => (OUTPUT[statusOf(one)] > OUTPUT[statusOf(worst)] ? one : worst));
}
