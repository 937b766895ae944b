import type { LedgerRecord } from '../record';
import { change, withAnomaly } from './change';

/**
 * Second, advisory step after a success: another key of the same operation has this external ID.
 * The success stands; the record says so, once. Never a constraint: the effect has happened already.
 */
export function noteSharedExternalId(
	record: LedgerRecord,
	otherKey: string,
	executionId: string | null,
	now: number,
): LedgerRecord {
	if (record.state !== 'succeeded' || record.externalId === null) return record;
	const { externalId } = record;
	const anomalies = withAnomaly(record.anomalies, { kind: 'shared_external_id', externalId, otherKey, at: now });
	if (anomalies === record.anomalies) return record;
	return change(record, { anomalies }, now, { note: 'shared_external_id', executionId });
}
