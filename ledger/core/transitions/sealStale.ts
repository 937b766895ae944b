import type { SealCommand, SealOutcome } from '../commands';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_RETENTION_SECONDS } from '../record';
import type { LedgerRecord } from '../record';
import { isUnknownWord } from '../states';
import { answer, change, count, entering, ephemeralExpiry, withAnomaly, withLateSuccess } from './change';
import type { Decided } from './change';
import { contradicts, secondEffect } from './sealSuccess';

/**
 * A seal whose holder no longer holds. It decides nothing (guarantee G4), but what it says may be
 * the only sign that an effect happened, so the ledger keeps it.
 */
export function sealStale(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	const counted = count(record, 'staleSeals');
	if (command.word === 'success') return answer('stale', lateSuccess(counted, command, now), now);
	if (isUnknownWord(command.word)) return answer('stale', lateUnknown(counted, command, now), now);
	return answer('stale', counted, now);
}

function lateSuccess(record: LedgerRecord, command: SealCommand, now: number): LedgerRecord {
	const { attempt, externalId } = command;
	const lateSuccesses = withLateSuccess(record.lateSuccesses, { attempt, externalId, at: now });
	const failed = record.state === 'retryable_failed' || record.state === 'permanent_failed';
	const anomalies =
		record.state === 'succeeded' && contradicts(record.externalId, command)
			? withAnomaly(record.anomalies, secondEffect(command.externalId!, now))
			: record.anomalies;
	if (!failed && lateSuccesses === record.lateSuccesses && anomalies === record.anomalies) return record;
	const fields = { lateSuccesses, anomalies, ...(failed ? entering(record, 'needs_review', 'late_success', now) : {}) };
	return change(record, fields, now, { note: 'late_success', executionId: command.executionId, attempt });
}

/** Nobody knows what that earlier attempt did: nothing may be taken over on its own any more. */
function lateUnknown(record: LedgerRecord, command: SealCommand, now: number): LedgerRecord {
	if (record.state === 'succeeded') return record;
	const failed = record.state === 'permanent_failed';
	if (!failed && record.unknownEarlier && record.policy === 'review') return record;
	const fields = {
		unknownEarlier: true,
		policy: 'review' as const,
		...(failed ? entering(record, 'needs_review', 'unknown_earlier', now) : {}),
	};
	const { executionId, attempt } = command;
	return change(record, fields, now, { note: 'late_unknown', executionId, attempt });
}

/** No record: a success is kept for a person, any other word has nothing to say. */
export function orphanSuccess(command: SealCommand, now: number): Decided<SealOutcome> {
	if (command.word !== 'success') return answer('not_found', null, now);
	const { key, operation, businessId, scope, version, token, attempt, executionId, ephemeral } = command;
	const record: LedgerRecord = {
		key,
		operation,
		businessId,
		scope,
		version,
		revision: 1,
		state: 'needs_review',
		reason: 'orphan_success',
		token,
		attempt,
		maxAttempts: DEFAULT_MAX_ATTEMPTS,
		policy: 'review',
		fingerprint: null,
		fingerprintFields: null,
		leaseExpiresAt: null,
		retryAt: null,
		deadlineAt: null,
		result: command.result,
		externalId: command.externalId,
		lateSuccesses: [],
		anomalies: [],
		unknownEarlier: false,
		sealedWord: 'success',
		decidedBy: null,
		lastError: null,
		correlationId: null,
		owner: { instanceId: null, workflowId: null, workflowName: null, executionId, nodeName: null },
		counters: { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 },
		createdAt: now,
		updatedAt: now,
		completedAt: null,
		expiresAt: ephemeral ? ephemeralExpiry(now) : null,
		retentionSeconds: DEFAULT_RETENTION_SECONDS,
		ephemeral,
		history: [{ at: now, from: null, to: 'needs_review', attempt, executionId, note: 'orphan_success', kept: null }],
	};
	return answer('not_found', record, now);
}
