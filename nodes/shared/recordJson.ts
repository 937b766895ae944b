import type { IDataObject } from 'n8n-workflow';

import type { LedgerRecord } from '../../ledger/core/record';

/** A record as an item: times as ISO 8601 UTC. Token and revision stay, since Resolve has to name them. */
export function recordJson(record: LedgerRecord, at: number): IDataObject {
	const { owner, counters, decidedBy, lastError } = record;
	return {
		found: true,
		status: record.state,
		...(record as unknown as IDataObject),
		...isoTimes(record),
		lateSuccesses: record.lateSuccesses.map(withIsoTime),
		anomalies: record.anomalies.map(withIsoTime),
		decidedBy: decidedBy && withIsoTime(decidedBy),
		lastError: lastError && withIsoTime(lastError),
		history: record.history.map(withIsoTime) as unknown as IDataObject[],
		owner: { ...owner },
		counters: { ...counters },
		leaseIsOver: record.state === 'processing' && at >= (record.leaseExpiresAt ?? 0),
		ageSeconds: Math.max(0, Math.round((at - record.createdAt) / 1000)),
		unchangedSeconds: Math.max(0, Math.round((at - record.updatedAt) / 1000)),
	};
}

function isoTimes(record: LedgerRecord): IDataObject {
	const { leaseExpiresAt, retryAt, deadlineAt, createdAt, updatedAt, completedAt, expiresAt } = record;
	const times = { leaseExpiresAt, retryAt, deadlineAt, createdAt, updatedAt, completedAt, expiresAt };
	return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ms === null ? null : iso(ms)]));
}

const iso = (ms: number) => new Date(ms).toISOString();

const withIsoTime = <Entry extends { at: number }>(entry: Entry) => ({ ...entry, at: iso(entry.at) });
