import type { ResolveCommand, ResolveOutcome } from '../commands';
import type { Json, LedgerRecord } from '../record';
import { answer, change, entering, present } from './change';
import type { Decided } from './change';

/**
 * Decide a person's (or a reconcile step's) resolution. Pure. It holds only for the revision and
 * token that were looked at, and is refused where it could repeat an effect, unless forced.
 * @param now the store's clock, epoch ms
 */
export function decideResolve(
	stored: LedgerRecord | null,
	command: ResolveCommand,
	now: number,
): Decided<ResolveOutcome> {
	const record = present(stored, now);
	if (record === null) return answer('not_found', null, now);
	if (record.revision !== command.revision || record.token !== command.token) {
		return answer('stale_decision', record, now);
	}
	if (!command.force && !allowed(record, command, now)) return answer('refused', record, now);
	const applied = change(record, decided(record, command, now), now, {
		note: `resolved: ${command.decision}`,
		executionId: command.executionId,
		kept: cleared(record, command),
	});
	return answer('resolved', applied, now);
}

function allowed(record: LedgerRecord, command: ResolveCommand, now: number): boolean {
	if (record.state === 'processing') return now >= (record.leaseExpiresAt ?? 0);
	if (record.state !== 'succeeded') return true;
	// Acknowledging that something happened twice changes no outcome.
	return command.decision === 'succeeded' && (record.anomalies.length > 0 || record.lateSuccesses.length > 0);
}

function decided(record: LedgerRecord, command: ResolveCommand, now: number): Partial<LedgerRecord> {
	const { decision, who, why } = command;
	const common: Partial<LedgerRecord> = {
		unknownEarlier: false,
		lateSuccesses: [],
		anomalies: [],
		result: null,
		externalId: null,
	};
	const decidedBy = { decision, who, why, at: now };
	switch (decision) {
		case 'succeeded':
			return {
				...common,
				...entering(record, 'succeeded', 'decided', now),
				decidedBy,
				result: command.result ?? record.result,
				externalId: command.externalId ?? record.externalId,
			};
		case 'failed':
			return { ...common, ...entering(record, 'permanent_failed', 'decided', now), decidedBy };
		case 'retry':
			return {
				...common,
				...entering(record, 'retryable_failed', 'decided', now),
				decidedBy,
				retryAt: now,
				maxAttempts: Math.max(record.maxAttempts, record.attempt + 1),
				...(command.acceptChangedPayload ? { fingerprint: null, fingerprintFields: null } : {}),
			};
	}
}

/** Who decided and why, and what the decision takes off the record: the history keeps it. */
function cleared(record: LedgerRecord, command: ResolveCommand): Json {
	const kept: { [name: string]: Json } = { who: command.who, why: command.why };
	const replaced = command.decision !== 'succeeded' || command.result !== null;
	if (replaced && record.result !== null) kept.result = record.result;
	const otherId = command.decision !== 'succeeded' || command.externalId !== null;
	if (otherId && record.externalId !== null) kept.externalId = record.externalId;
	if (record.lateSuccesses.length > 0) kept.lateSuccesses = record.lateSuccesses.map((one) => ({ ...one }));
	if (record.anomalies.length > 0) kept.anomalies = record.anomalies.map((one) => ({ ...one }));
	if (record.unknownEarlier) kept.unknownEarlier = true;
	return kept;
}
