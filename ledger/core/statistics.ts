import type { LedgerRecord } from './record';
import { LEDGER_STATES } from './states';
import type { LedgerState } from './states';
import type { OperationStatistics, Statistics } from './store';

/** Every state with a zero; the shape each operation's counts have. */
export function noStates(): Record<LedgerState, number> {
	return Object.fromEntries(LEDGER_STATES.map((state) => [state, 0])) as Record<LedgerState, number>;
}

/** An operation nothing was counted for yet. */
export function noOperation(operation: string): OperationStatistics {
	return {
		operation,
		states: noStates(),
		duplicates: 0,
		conflicts: 0,
		takeovers: 0,
		staleSeals: 0,
		oldestProcessingMs: null,
		oldestReviewMs: null,
		stuck: 0,
	};
}

/** Add one record to the counts of its operation. */
export function countRecord(counts: OperationStatistics, record: LedgerRecord, at: number): void {
	counts.states[record.state] += 1;
	counts.duplicates += record.counters.duplicates;
	counts.conflicts += record.counters.conflicts;
	counts.takeovers += record.counters.takeovers;
	counts.staleSeals += record.counters.staleSeals;
	const age = at - record.updatedAt;
	if (record.state === 'processing') {
		counts.oldestProcessingMs = Math.max(counts.oldestProcessingMs ?? 0, age);
		if (at >= (record.leaseExpiresAt ?? 0)) counts.stuck += 1;
	}
	if (record.state === 'needs_review') counts.oldestReviewMs = Math.max(counts.oldestReviewMs ?? 0, age);
}

/** Statistics over records in memory; what the stores' own counting is tested against. */
export function statisticsOf(records: Iterable<LedgerRecord>, at: number): Statistics {
	const operations = new Map<string, OperationStatistics>();
	for (const record of records) {
		const counts = operations.get(record.operation) ?? noOperation(record.operation);
		operations.set(record.operation, counts);
		countRecord(counts, record, at);
	}
	const sorted = [...operations.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
	return { operations: sorted, at };
}
