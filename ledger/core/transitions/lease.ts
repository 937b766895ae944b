import type { ExtendCommand, ExtendOutcome, ReleaseCommand, ReleaseOutcome } from '../commands';
import type { LedgerRecord } from '../record';
import type { StateReason } from '../states';
import { answer, change, entering, present, renewed } from './change';
import type { Decided } from './change';

/**
 * Decide a longer lease. Pure. A lease that is over can still be prolonged: nobody took it.
 * @param now the store's clock, epoch ms
 */
export function decideExtend(
	stored: LedgerRecord | null,
	command: ExtendCommand,
	now: number,
): Decided<ExtendOutcome> {
	const record = present(stored, now);
	if (record === null) return answer('not_found', null, now);
	if (!holds(record, command)) return answer('stale', record, now);
	if (lateSuccessKnown(record)) return answer('needs_review', toReview(record, 'late_success', null, now), now);
	if (record.state === 'needs_review') return answer('needs_review', record, now);
	if (record.state !== 'processing') return answer('already_sealed', record, now);
	const leaseExpiresAt = Math.max(record.leaseExpiresAt ?? 0, now + command.extendMs);
	return answer('extended', renewed({ ...record, leaseExpiresAt }, now), now);
}

/**
 * Decide a release: the effect was certainly not attempted. Pure. The first attempt leaves no trace;
 * a later one leaves the record due at once, with at least one more attempt.
 * @param now the store's clock, epoch ms
 */
export function decideRelease(
	stored: LedgerRecord | null,
	command: ReleaseCommand,
	now: number,
): Decided<ReleaseOutcome> {
	const record = present(stored, now);
	if (record === null) return answer('released', null, now);
	if (!holds(record, command)) return answer('stale', record, now);
	const review = (reason: StateReason) =>
		answer<ReleaseOutcome>('needs_review', toReview(record, reason, command.executionId, now), now);

	const held = record.state === 'processing' || record.reason === 'lease_expired';
	if (lateSuccessKnown(record)) return review('late_success');
	if (command.rerun && (held || record.reason === 'unknown')) return review('effect_rerun');
	if (!held) {
		if (record.state === 'needs_review') return answer('refused', record, now);
		// Said before, and the answer was lost.
		return answer(record.sealedWord === 'released' ? 'released' : 'already_sealed', record, now);
	}
	if (record.unknownEarlier) return review('unknown_earlier');
	if (record.attempt === 1) return answer('released', null, now);
	const fields: Partial<LedgerRecord> = {
		...entering(record, 'retryable_failed', 'released', now),
		retryAt: now,
		maxAttempts: Math.max(record.maxAttempts, record.attempt + 1),
		sealedWord: 'released',
	};
	const released = change(record, fields, now, { note: 'released', executionId: command.executionId });
	return answer('released', released, now);
}

const holds = (record: LedgerRecord, command: { token: string; attempt: number }) =>
	record.token === command.token && record.attempt === command.attempt;

/** An overtaken attempt succeeded while this one was held: nobody may go on as if it hadn't. */
const lateSuccessKnown = (record: LedgerRecord) =>
	record.lateSuccesses.length > 0 && (record.state === 'processing' || record.reason === 'lease_expired');

function toReview(record: LedgerRecord, reason: StateReason, executionId: string | null, now: number): LedgerRecord {
	return change(record, entering(record, 'needs_review', reason, now), now, { note: reason, executionId });
}
