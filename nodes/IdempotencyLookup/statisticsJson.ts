import type { IDataObject } from 'n8n-workflow';

import { LEDGER_STATES } from '../../ledger/core/states';
import { noOperation } from '../../ledger/core/statistics';
import type { OperationStatistics, Statistics } from '../../ledger/core/store';

/** Statistics as one item: totals, then each operation in alphabetical order. */
export function statisticsJson({ operations, at }: Statistics): IDataObject {
	return {
		status: 'ok',
		at: new Date(at).toISOString(),
		totals: counts(total(operations)),
		operations: operations.map((one) => ({ operation: one.operation, ...counts(one) })),
	};
}

function counts(one: OperationStatistics): IDataObject {
	return {
		records: LEDGER_STATES.reduce((sum, state) => sum + one.states[state], 0),
		states: { ...one.states },
		duplicatesStopped: one.duplicates,
		conflicts: one.conflicts,
		takeovers: one.takeovers,
		staleSeals: one.staleSeals,
		stuck: one.stuck,
		oldestProcessingSeconds: seconds(one.oldestProcessingMs),
		oldestReviewSeconds: seconds(one.oldestReviewMs),
	};
}

function total(operations: OperationStatistics[]): OperationStatistics {
	const sum = noOperation('');
	for (const one of operations) {
		for (const state of LEDGER_STATES) sum.states[state] += one.states[state];
		sum.duplicates += one.duplicates;
		sum.conflicts += one.conflicts;
		sum.takeovers += one.takeovers;
		sum.staleSeals += one.staleSeals;
		sum.stuck += one.stuck;
		sum.oldestProcessingMs = older(sum.oldestProcessingMs, one.oldestProcessingMs);
		sum.oldestReviewMs = older(sum.oldestReviewMs, one.oldestReviewMs);
	}
	return sum;
}

function older(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));
