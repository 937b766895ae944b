import type { ExpireCommand, ExpireOutcome } from '../commands';
import type { LedgerRecord } from '../record';
import { answer, change, entering, present } from './change';
import type { Decided } from './change';

/**
 * Decide what becomes of a claim whose holder never came back, when nobody claims the key again. Pure.
 * It does what a later claim would do, and no more: review by the same reasons. A claim that may still
 * be taken over stays as it is, since its first claimer chose that the next one goes on (guarantee G3);
 * in review that next claim would be turned away.
 * @param now the store's clock, epoch ms
 */
export function decideExpire(
	stored: LedgerRecord | null,
	{ graceMs }: Pick<ExpireCommand, 'graceMs'>,
	now: number,
): Decided<ExpireOutcome> {
	const record = present(stored, now);
	if (record === null || !isOver(record, graceMs, now) || mayBeTakenOver(record)) return answer('kept', record, now);
	const reason = record.lateSuccesses.length > 0 ? 'late_success' : 'lease_expired';
	const fields = entering(record, 'needs_review', reason, now);
	return answer('expired', change(record, fields, now, { note: reason, executionId: null }), now);
}

/** A later claim that allows it too would get the next attempt. */
export function mayBeTakenOver(record: LedgerRecord): boolean {
	return record.policy === 'take_over' && record.attempt < record.maxAttempts && record.lateSuccesses.length === 0;
}

/** Manual runs kept apart are forgotten by themselves: nobody is to be troubled with them. */
function isOver(record: LedgerRecord, graceMs: number, now: number): boolean {
	if (record.state !== 'processing' || record.ephemeral || record.leaseExpiresAt === null) return false;
	return now >= record.leaseExpiresAt + graceMs;
}
