import { LedgerError } from './errors';
import type { LedgerRecord } from './record';
import { present } from './transitions/change';
import { mayBeTakenOver } from './transitions/expire';

/**
 * What somebody who watches the ledger can be told of. Each feed has a time of its own to be ordered by:
 * - `review`  records in needs_review, since they last changed
 * - `failed`  records in permanent_failed, since they last changed
 * - `lapsed`  claims whose lease is over and that another claim may take over, since the lease ended
 * - `overdue` retries that nobody came for, since they were due
 */
export const FEEDS = ['review', 'failed', 'lapsed', 'overdue'] as const;
export type Feed = (typeof FEEDS)[number];

/** A claim whose lease, once over, only leads to review: what `expire` looks for. In no feed until then. */
export type FeedOrExpirable = Feed | 'expirable';

/** A place in a feed. Feeds are ordered by time, then by key (UTF-16 code units; keys are ASCII). */
export interface FeedPosition {
	/** epoch ms */
	at: number;
	key: string;
}

/**
 * The one feed that a record is in, and since (or, for `lapsed`, `overdue` and `expirable`, from) when.
 * None for what is settled, and for manual runs kept apart: those are forgotten by themselves.
 */
export function feedOf(record: LedgerRecord): { feed: FeedOrExpirable; at: number } | null {
	if (record.ephemeral) return null;
	switch (record.state) {
		case 'needs_review':
			return { feed: 'review', at: record.updatedAt };
		case 'permanent_failed':
			return { feed: 'failed', at: record.updatedAt };
		case 'processing':
			if (record.leaseExpiresAt === null) return null;
			return { feed: mayBeTakenOver(record) ? 'lapsed' : 'expirable', at: record.leaseExpiresAt };
		case 'retryable_failed':
			return record.retryAt === null ? null : { feed: 'overdue', at: record.retryAt };
		case 'succeeded':
			return null;
	}
}

export function byFeedPosition(a: FeedPosition, b: FeedPosition): number {
	return a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

export interface ChangesQuery {
	feed: Feed;
	operation?: string;
	scope?: string;
	/** for `lapsed` and `overdue`: only what has been due for at least so long */
	dueForMs?: number;
	/** exclusive; null = from the beginning */
	after: FeedPosition | null;
	/** 1 … 1,000 */
	limit: number;
}

export interface ChangesPage {
	/** in the feed's order; may be fewer than the limit, also none, before the end */
	records: LedgerRecord[];
	/** where to go on; null at the feed's end */
	next: FeedPosition | null;
	/**
	 * Epoch ms. Whatever will yet come into the feed gets a time not before this one, unless the server's
	 * clock is set back; what has an earlier time was there to be read with this very page.
	 */
	settled: number;
	/** the store's clock, epoch ms */
	at: number;
}

/** Whether a record is due in that feed and passes the filters. */
export function tellsOf(record: LedgerRecord, query: ChangesQuery, at: number): boolean {
	const place = feedOf(record);
	if (place === null || place.feed !== query.feed || place.at > lastDue(query, at)) return false;
	if (present(record, at) === null) return false;
	return inFilter(record, query);
}

/** The latest time in the feed that counts as due. */
export function lastDue({ feed, dueForMs = 0 }: ChangesQuery, at: number): number {
	// The others tell of the past. A clock that was set back doesn't hide what it dated into the future.
	return feed === 'lapsed' || feed === 'overdue' ? at - dueForMs : Number.MAX_SAFE_INTEGER;
}

export function inFilter(record: LedgerRecord, { operation, scope }: { operation?: string; scope?: string }): boolean {
	return (operation === undefined || record.operation === operation) && (scope === undefined || record.scope === scope);
}

/** @throws LedgerError INVALID_PARAMETER for a time that isn't a number of ms from 0 on */
export function checkDelay(name: string, ms: number): number {
	if (Number.isFinite(ms) && ms >= 0) return ms;
	throw new LedgerError('INVALID_PARAMETER', `${name} must be a number of milliseconds from 0 on`);
}

/** A page out of records in memory; what the stores' own feeds are tested against. */
export function changesOf(records: LedgerRecord[], query: ChangesQuery, at: number): ChangesPage {
	const { after, limit } = query;
	const found = records
		.filter((record) => tellsOf(record, query, at))
		.map((record) => ({ record, position: positionOf(record) }))
		.filter(({ position }) => after === null || byFeedPosition(position, after) > 0)
		.sort((a, b) => byFeedPosition(a.position, b.position));
	const page = found.slice(0, limit);
	const next = found.length > limit ? page[page.length - 1].position : null;
	return { records: page.map(({ record }) => record), next, settled: at, at };
}

/** Where a record that is in a feed stands in it. */
export function positionOf(record: LedgerRecord): FeedPosition {
	return { at: feedOf(record)?.at ?? record.updatedAt, key: record.key };
}
