import type { ClaimCommand, ClaimOutcome } from '../commands';
import type { LedgerRecord } from '../record';
import { answer, change, count, entering, ephemeralExpiry, present, renewed } from './change';
import type { Decided } from './change';

/**
 * Decide a claim (design, section 3: the first row that fits wins). Pure.
 * @param stored record of the key, or null
 * @param now the store's clock, epoch ms
 */
export function decideClaim(
	stored: LedgerRecord | null,
	command: ClaimCommand,
	now: number,
): Decided<ClaimOutcome> {
	const record = present(stored, now);
	if (record === null) return answer('claimed', firstClaim(command, now), now, 'first');

	const conflict = fingerprintConflict(record, command);
	if (conflict) return answer('conflict', count(record, 'conflicts'), now, conflict);

	switch (record.state) {
		case 'processing':
			return claimProcessing(record, command, now);
		case 'succeeded':
			return answer('succeeded', count(record, 'duplicates'), now);
		case 'retryable_failed':
			return claimRetryable(record, command, now);
		case 'permanent_failed':
		case 'needs_review':
			return answer('needs_review', count(record, 'duplicates'), now);
	}
}

function claimProcessing(record: LedgerRecord, command: ClaimCommand, now: number): Decided<ClaimOutcome> {
	const leaseOver = now >= (record.leaseExpiresAt ?? 0);
	const own = record.token === command.token;
	// Another attempt is known to have succeeded: nobody goes on under this claim but to say so too.
	if (record.lateSuccesses.length > 0 && (own || leaseOver)) {
		return answer('needs_review', toReview(record, 'late_success', command, now), now);
	}
	if (own) {
		const lease = { ...record, leaseExpiresAt: now + command.leaseMs };
		return answer('claimed', renewed(lease, now), now, 'own');
	}
	if (!leaseOver) return answer('in_progress', count(record, 'duplicates'), now);
	if (bothTakeOver(record, command) && record.attempt < record.maxAttempts) {
		const taken = count({ ...record, unknownEarlier: true }, 'takeovers');
		return answer('claimed', nextAttempt(taken, command, now, 'takeover'), now, 'takeover');
	}
	return answer('needs_review', toReview(record, 'lease_expired', command, now), now);
}

function claimRetryable(record: LedgerRecord, command: ClaimCommand, now: number): Decided<ClaimOutcome> {
	if (now < (record.retryAt ?? 0)) return answer('in_progress', count(record, 'duplicates'), now);
	if (record.unknownEarlier && !bothTakeOver(record, command)) {
		return answer('needs_review', toReview(record, 'unknown_earlier', command, now), now);
	}
	// A spent token: the run that already ended this attempt isn't given the next one.
	if (record.token === command.token) return answer('in_progress', count(record, 'duplicates'), now);
	return answer('claimed', nextAttempt(record, command, now, 'retry'), now, 'retry');
}

/** The stored policy is the first claimer's promise, the arriving one this caller's: both must allow it. */
function bothTakeOver(record: LedgerRecord, command: ClaimCommand): boolean {
	return record.policy === 'take_over' && command.policy === 'take_over';
}

function fingerprintConflict(record: LedgerRecord, command: ClaimCommand) {
	if (record.fingerprint === null) return null;
	if (command.fingerprint === null) return 'fingerprint_missing';
	if (command.fingerprintFields !== record.fingerprintFields) return 'fields_differ';
	return command.fingerprint === record.fingerprint ? null : 'payload_differs';
}

function toReview(
	record: LedgerRecord,
	reason: 'lease_expired' | 'late_success' | 'unknown_earlier',
	command: ClaimCommand,
	now: number,
): LedgerRecord {
	const executionId = command.owner.executionId;
	return change(record, entering(record, 'needs_review', reason, now), now, { note: reason, executionId });
}

function nextAttempt(
	record: LedgerRecord,
	command: ClaimCommand,
	now: number,
	note: 'retry' | 'takeover',
): LedgerRecord {
	const unprinted = record.fingerprint === null;
	return change(
		record,
		{
			...entering(record, 'processing', null, now),
			token: command.token,
			attempt: record.attempt + 1,
			policy: command.policy,
			leaseExpiresAt: now + command.leaseMs,
			fingerprint: unprinted ? command.fingerprint : record.fingerprint,
			fingerprintFields: unprinted ? command.fingerprintFields : record.fingerprintFields,
			sealedWord: null,
			owner: command.owner,
			correlationId: command.correlationId ?? record.correlationId,
			expiresAt: record.ephemeral ? ephemeralExpiry(now) : null,
		},
		now,
		{ note, executionId: command.owner.executionId },
	);
}

function firstClaim(command: ClaimCommand, now: number): LedgerRecord {
	return {
		key: command.key,
		operation: command.operation,
		businessId: command.businessId,
		scope: command.scope,
		version: command.version,
		revision: 1,
		state: 'processing',
		reason: null,
		token: command.token,
		attempt: 1,
		maxAttempts: command.maxAttempts,
		policy: command.policy,
		fingerprint: command.fingerprint,
		fingerprintFields: command.fingerprintFields,
		leaseExpiresAt: now + command.leaseMs,
		retryAt: null,
		deadlineAt: null,
		result: null,
		externalId: null,
		lateSuccesses: [],
		anomalies: [],
		unknownEarlier: false,
		sealedWord: null,
		decidedBy: null,
		lastError: null,
		correlationId: command.correlationId,
		owner: command.owner,
		counters: { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 },
		createdAt: now,
		updatedAt: now,
		completedAt: null,
		expiresAt: command.ephemeral ? ephemeralExpiry(now) : null,
		retentionSeconds: command.retentionSeconds,
		ephemeral: command.ephemeral,
		history: [
			{
				at: now,
				from: null,
				to: 'processing',
				attempt: 1,
				executionId: command.owner.executionId,
				note: 'first',
				kept: null,
			},
		],
	};
}
