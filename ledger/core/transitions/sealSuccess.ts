import type { SealCommand, SealOutcome } from '../commands';
import type { Anomaly, LedgerRecord } from '../record';
import { answer, change, entering, withAnomaly } from './change';
import type { Decided } from './change';

/** Two external IDs for one key: the destination made two things. A missing ID proves nothing. */
export function contradicts(externalId: string | null, command: SealCommand): boolean {
	return externalId !== null && command.externalId !== null && externalId !== command.externalId;
}

export function secondEffect(externalId: string, now: number): Anomaly {
	return { kind: 'second_effect', externalId, otherKey: null, at: now };
}

/** The holder succeeded: settled, with everything doubtful about earlier attempts cleared. */
export function success(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	const anomalies = againstLateSuccesses(record, command, now);
	const succeeded = change(
		record,
		{
			...entering(record, 'succeeded', null, now),
			result: command.result,
			externalId: command.externalId ?? record.externalId,
			unknownEarlier: false,
			sealedWord: 'success',
			lastError: null,
			anomalies,
		},
		now,
		{ note: 'success', executionId: command.executionId },
	);
	return answer('sealed', succeeded, now, anomalies.length > record.anomalies.length ? 'anomaly' : null);
}

/**
 * What a success leaves on a record that can't become succeeded by it. Nothing when it was kept
 * already; the first result and ID stay, another ID is an anomaly.
 */
export function keptSuccess(record: LedgerRecord, command: SealCommand, now: number): Partial<LedgerRecord> {
	if (record.sealedWord === 'success' || contradicts(record.externalId, command)) {
		return withNewId(record, command, now);
	}
	return {
		sealedWord: 'success',
		result: command.result,
		externalId: command.externalId ?? record.externalId,
		anomalies: againstLateSuccesses(record, command, now),
	};
}

/**
 * A further success for a key that has one: takes the ID if there was none, notes another one. The ID it
 * takes may contradict a late success that was kept before, when there was none to compare with.
 */
export function withNewId(record: LedgerRecord, command: SealCommand, now: number): Partial<LedgerRecord> {
	if (command.externalId === null || command.externalId === record.externalId) return {};
	if (record.externalId === null) {
		return { externalId: command.externalId, anomalies: againstLateSuccesses(record, command, now) };
	}
	const anomalies = withAnomaly(record.anomalies, secondEffect(command.externalId, now));
	return anomalies === record.anomalies ? {} : { anomalies };
}

function againstLateSuccesses(record: LedgerRecord, command: SealCommand, now: number): Anomaly[] {
	return record.lateSuccesses.reduce(
		(list, { externalId }) =>
			externalId !== null && contradicts(externalId, command)
				? withAnomaly(list, secondEffect(externalId, now))
				: list,
		record.anomalies,
	);
}
