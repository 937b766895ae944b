import { noOperation } from '../../core/statistics';
import type { LedgerState } from '../../core/states';
import type { OperationStatistics } from '../../core/store';
import type { OpenFile } from './openFile';
import { fromText } from './rows';

/** Rows counted in one step: few enough to block the process only for milliseconds. */
const WINDOW_ROWS = 2000;

/**
 * Count the next rows after that id into `operations`; returns the last id counted, null at the end.
 * The steps together are no snapshot: a record that changes meanwhile is counted once, before or after.
 */
export function countRows(
	{ statements }: OpenFile,
	operations: Map<string, OperationStatistics>,
	at: number,
	after: number,
): number | null {
	const window = statements.findWindowEnd.get({ after, size: WINDOW_ROWS });
	if (window === undefined || window.last === null) return null;
	const last = Number(window.last);
	for (const row of statements.countWindow.all({ after, last, at })) {
		const operation = fromText(String(row.operation));
		const counts = operations.get(operation) ?? noOperation(operation);
		operations.set(operation, counts);
		const state = String(row.state) as LedgerState;
		counts.states[state] += Number(row.records);
		counts.duplicates += Number(row.duplicates);
		counts.conflicts += Number(row.conflicts);
		counts.takeovers += Number(row.takeovers);
		counts.staleSeals += Number(row.staleSeals);
		const age = at - Number(row.oldest);
		if (state === 'processing') {
			counts.oldestProcessingMs = Math.max(counts.oldestProcessingMs ?? 0, age);
			counts.stuck += Number(row.leaseOver);
		}
		if (state === 'needs_review') counts.oldestReviewMs = Math.max(counts.oldestReviewMs ?? 0, age);
	}
	return last;
}
