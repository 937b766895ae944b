import type { IDataObject } from 'n8n-workflow';

import type { Answer, ClaimOutcome } from '../../ledger/core/commands';
import { WHOLE_ITEM } from '../../ledger/core/fingerprint';
import type { LedgerRecord } from '../../ledger/core/record';
import type { ClaimHandleJson } from '../shared/claimHandle';

/** Claim's outputs, by number. Output 0 is the one n8n's own gestures connect. */
export const CLAIM_OUTPUTS = { claimed: 0, doneBefore: 1, inProgress: 2, review: 3 } as const;

type ClaimAnswer = Answer<ClaimOutcome>;

/** What an answer means for the item: the output, and the fields that say why. */
export function describeAnswer(answer: ClaimAnswer, heldByItem?: number): { output: number; fields: IDataObject } {
	const record = answer.record!;
	switch (answer.outcome) {
		case 'claimed':
			return { output: CLAIM_OUTPUTS.claimed, fields: claimed(answer, record) };
		case 'succeeded':
			return { output: CLAIM_OUTPUTS.doneBefore, fields: doneBefore(record) };
		case 'in_progress':
			return { output: CLAIM_OUTPUTS.inProgress, fields: inProgress(answer, record, heldByItem) };
		case 'needs_review':
		case 'conflict':
			return { output: CLAIM_OUTPUTS.review, fields: review(answer, record) };
	}
}

/** Times go out as ISO 8601 UTC. */
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function identity({ key, operation, businessId, scope, version, attempt, state, ephemeral }: LedgerRecord) {
	return { key, operation, businessId, scope, version, attempt, state, ephemeral };
}

/** Where the claim was made that the record belongs to. */
function holder(record: LedgerRecord): IDataObject {
	const { executionId, workflowId, workflowName, nodeName } = record.owner;
	return { executionId, workflowId, workflowName, nodeName };
}

/** The claim handle: only the item that holds the claim gets its token. */
function claimed(answer: ClaimAnswer, record: LedgerRecord): IDataObject {
	const handle: ClaimHandleJson = {
		...identity(record),
		token: record.token,
		executionId: record.owner.executionId,
	};
	return {
		status: 'claimed',
		...handle,
		maxAttempts: record.maxAttempts,
		claimedBy: answer.detail,
		claimedAt: iso(answer.at),
		leaseExpiresAt: iso(record.leaseExpiresAt),
	};
}

function doneBefore(record: LedgerRecord): IDataObject {
	return {
		status: 'done_before',
		...identity(record),
		message: 'This was done before; nothing is done again.',
		result: record.result as IDataObject[string],
		externalId: record.externalId,
		completedAt: iso(record.completedAt),
		expiresAt: iso(record.expiresAt),
		duplicates: record.counters.duplicates,
		doneBy: holder(record),
	};
}

function inProgress(answer: ClaimAnswer, record: LedgerRecord, heldByItem?: number): IDataObject {
	const waiting = record.state === 'retryable_failed';
	const message =
		heldByItem !== undefined
			? `Item ${heldByItem} of this run has the same key and holds the claim.`
			: waiting
				? 'The last attempt failed, and the next one is not due yet.'
				: 'Another run holds the claim.';
	return {
		status: 'in_progress',
		...identity(record),
		message,
		...(heldByItem === undefined ? {} : { heldByItem }),
		heldBy: holder(record),
		leaseExpiresAt: iso(record.leaseExpiresAt),
		retryAt: iso(record.retryAt),
		retryInMs: record.retryAt === null ? null : Math.max(0, record.retryAt - answer.at),
		lastError: lastError(record),
	};
}

function review(answer: ClaimAnswer, record: LedgerRecord): IDataObject {
	const conflict = answer.outcome === 'conflict';
	return {
		status: 'review',
		...identity(record),
		reason: conflict ? 'conflict' : record.reason,
		message: conflict ? conflictMessage(answer, record) : reviewMessage(record),
		// Another payload gets nothing of the stored result: that would be a replay after all.
		...(conflict ? { conflict: answer.detail } : { externalId: record.externalId, result: record.result as IDataObject[string] }),
		revision: record.revision,
		lastError: lastError(record),
		lastAttemptBy: holder(record),
	};
}

function lastError(record: LedgerRecord): IDataObject | null {
	if (record.lastError === null) return null;
	return { ...record.lastError, at: iso(record.lastError.at) };
}

function conflictMessage({ detail }: ClaimAnswer, record: LedgerRecord): string {
	const fields = fieldNames(record.fingerprintFields);
	switch (detail) {
		case 'fields_differ':
			return `This key was claimed with other Fields That Must Not Change (${fields}), so the payloads can't be compared.`;
		case 'fingerprint_missing':
			return `This key was claimed with Fields That Must Not Change (${fields}), and this claim names none.`;
		default:
			return `This key was claimed before with another value in a field that must not change (${fields}).`;
	}
}

/** The stored list is canonical JSON; a record that somebody changed by hand may hold anything. */
function fieldNames(stored: string | null): string {
	if (stored === WHOLE_ITEM) return 'the whole item';
	try {
		const names: unknown = JSON.parse(stored ?? '[]');
		if (Array.isArray(names)) return names.join(', ');
	} catch {
		// falls through
	}
	return String(stored);
}

function reviewMessage(record: LedgerRecord): string {
	if (record.state === 'permanent_failed') {
		return 'This failed for good and is not tried again.';
	}
	switch (record.reason) {
		case 'lease_expired':
			return 'The claim was never sealed, so nobody knows whether the effect happened. Find out, then resolve it with Idempotency Seal.';
		case 'unknown':
			return 'The last attempt ended without a clear outcome. Find out whether the effect happened, then resolve it with Idempotency Seal.';
		case 'unknown_earlier':
			return 'The outcome of an earlier attempt is not known. Find out whether the effect happened, then resolve it with Idempotency Seal.';
		default:
			return 'This record needs a decision. Look it up with Idempotency Lookup, then resolve it with Idempotency Seal.';
	}
}
