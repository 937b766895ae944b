import { EPHEMERAL_SECONDS, HISTORY_LIMIT, INCIDENT_LIMIT } from '../record';
import type { Anomaly, Json, LateSuccess, LedgerRecord } from '../record';
import { FINAL_STATES } from '../states';
import type { LedgerState, StateReason } from '../states';
import type { Answer } from '../commands';

/** What a transition gives back: the record to store (null removes it) and the answer. */
export type Decided<Outcome extends string> = Answer<Outcome>;

/** A record that is over counts as none, whatever a purge has done yet. */
export function present(record: LedgerRecord | null, now: number): LedgerRecord | null {
	if (record === null || record.expiresAt === null) return record;
	const expires = record.ephemeral || FINAL_STATES.includes(record.state);
	return expires && now >= record.expiresAt ? null : record;
}

export function answer<Outcome extends string>(
	outcome: Outcome,
	record: LedgerRecord | null,
	now: number,
	detail: Answer<Outcome>['detail'] = null,
): Decided<Outcome> {
	return { outcome, detail, record, at: now };
}

/** Count something on the record. Counters aren't a change: revision and updatedAt stay. */
export function count(record: LedgerRecord, counter: keyof LedgerRecord['counters']): LedgerRecord {
	return { ...record, counters: { ...record.counters, [counter]: record.counters[counter] + 1 } };
}

/** Change the record: revision + 1, and one line of history that says what happened. */
export function change(
	record: LedgerRecord,
	fields: Partial<LedgerRecord>,
	now: number,
	entry: { note: string | null; executionId: string | null; kept?: Json; attempt?: number },
): LedgerRecord {
	const changed = { ...record, ...fields };
	changed.history = [
		...record.history,
		{
			at: now,
			from: record.state,
			to: changed.state,
			attempt: entry.attempt ?? changed.attempt,
			executionId: entry.executionId,
			note: entry.note,
			kept: entry.kept ?? null,
		},
	].slice(-HISTORY_LIMIT);
	return renewed(changed, now);
}

/** Change that isn't worth a line of history: a lease that was renewed. */
export function renewed(record: LedgerRecord, now: number): LedgerRecord {
	return { ...record, revision: record.revision + 1, updatedAt: now };
}

/** Fields of a record that comes into a state; what belonged to the state before is cleared. */
export function entering(
	record: LedgerRecord,
	state: LedgerState,
	reason: StateReason | null,
	now: number,
): Partial<LedgerRecord> {
	const settled = FINAL_STATES.includes(state);
	return {
		state,
		reason,
		leaseExpiresAt: null,
		retryAt: null,
		decidedBy: null,
		completedAt: settled ? now : null,
		expiresAt: record.ephemeral ? record.expiresAt : settled ? expiry(record.retentionSeconds, now) : null,
	};
}

export function expiry(retentionSeconds: number, now: number): number | null {
	return retentionSeconds === 0 ? null : now + retentionSeconds * 1000;
}

export function ephemeralExpiry(now: number): number {
	return now + EPHEMERAL_SECONDS * 1000;
}

/** Add a late success; a list that is full, or knows it already, stays as it is. */
export function withLateSuccess(list: LateSuccess[], late: LateSuccess): LateSuccess[] {
	const known = list.some((one) => one.attempt === late.attempt && one.externalId === late.externalId);
	return known || list.length >= INCIDENT_LIMIT ? list : [...list, late];
}

/** Add an anomaly; a list that is full, or knows it already, stays as it is. */
export function withAnomaly(list: Anomaly[], anomaly: Anomaly): Anomaly[] {
	const known = list.some(
		(one) =>
			one.kind === anomaly.kind && one.externalId === anomaly.externalId && one.otherKey === anomaly.otherKey,
	);
	return known || list.length >= INCIDENT_LIMIT ? list : [...list, anomaly];
}
