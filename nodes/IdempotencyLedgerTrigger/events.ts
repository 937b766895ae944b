import type { Feed } from '../../ledger/core/feed';
import type { LedgerRecord } from '../../ledger/core/record';

/** What the trigger fires on; also the `event` of its items. */
export const EVENTS = ['came_into_review', 'failed_for_good', 'lease_ran_out', 'retry_overdue'] as const;
export type LedgerEvent = (typeof EVENTS)[number];

/** The feeds that each event may be found in. A lease that ran out is in review, or may be taken over. */
const FEEDS_OF: Record<LedgerEvent, Feed[]> = {
	came_into_review: ['review'],
	failed_for_good: ['failed'],
	lease_ran_out: ['review', 'lapsed'],
	retry_overdue: ['overdue'],
};

/** The feeds to read for these events, each once. */
export function feedsOf(events: readonly LedgerEvent[]): Feed[] {
	return [...new Set(events.flatMap((event) => FEEDS_OF[event]))];
}

/** Which of the chosen events a record of that feed is; null for none. The most specific one counts. */
export function eventOf(record: LedgerRecord, feed: Feed, chosen: readonly LedgerEvent[]): LedgerEvent | null {
	const possible = EVENTS_OF[feed](record);
	return possible.find((event) => chosen.includes(event)) ?? null;
}

const EVENTS_OF: Record<Feed, (record: LedgerRecord) => LedgerEvent[]> = {
	review: (record) => (leaseRanOut(record) ? ['lease_ran_out', 'came_into_review'] : ['came_into_review']),
	failed: () => ['failed_for_good'],
	lapsed: () => ['lease_ran_out'],
	overdue: () => ['retry_overdue'],
};

/**
 * Whether a record came into review from a claim that was still open. After a late success of an
 * overtaken attempt the lease's end gives that reason instead.
 */
function leaseRanOut({ reason, history }: LedgerRecord): boolean {
	const cameFrom = history[history.length - 1]?.from;
	return reason === 'lease_expired' || (reason === 'late_success' && cameFrom === 'processing');
}
