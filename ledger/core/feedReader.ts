import { createHash } from 'node:crypto';

import { byFeedPosition, positionOf } from './feed';
import type { ChangesPage, FeedPosition } from './feed';
import type { LedgerRecord } from './record';

/**
 * How far back a reader looks again: what a server's clock may be set back by, or be behind after a
 * failover, without a change being missed. Late commits need no such margin: `settled` knows them.
 */
export const OVERLAP_MS = 5 * 60_000;
/** Versions remembered at most, some 30 bytes each. A reader that has so many new ones waits until the overlap is past them. */
export const MOST_SEEN = 5_000;
/** Records per round trip. */
const PAGE = 500;

/**
 * What a reader has to keep between two reads; plain JSON. Kept together with what was told, it tells
 * everything at least once, and no version of a record twice, for as long as it's kept.
 */
export interface FeedCursor {
	/** everything up to here has been told, and nothing can come in any more */
	after: FeedPosition;
	/** versions told of that lie behind `after`: mark → time in the feed, epoch ms */
	seen: Record<string, number>;
}

export interface FeedReading {
	records: LedgerRecord[];
	cursor: FeedCursor;
	/** the store's clock, epoch ms */
	at: number;
}

export interface ReadOptions {
	/** records told of in one reading, at most */
	limit: number;
	/** the same as in the query */
	dueForMs: number;
	/** whether to tell of a record; what isn't accepted isn't remembered either */
	accepts(record: LedgerRecord): boolean;
	overlapMs?: number;
	mostSeen?: number;
}

type Read = (after: FeedPosition, limit: number) => Promise<ChangesPage>;

/** A cursor at the feed's end: tells only of what comes in from now on. */
export async function endOfFeed(read: Read, dueForMs: number): Promise<FeedCursor> {
	const { settled } = await read(FEED_BEGINNING, 1);
	return { after: { at: settled - dueForMs, key: '' }, seen: {} };
}

/** Before every record. */
export const FEED_BEGINNING: FeedPosition = { at: 0, key: '' };

/**
 * Read on in a feed.
 *
 * Why nothing is missed: a change never gives a record a place in a feed before the moment of that very
 * change, so what comes in gets a time from `settled` on. So up to `settled`, less the overlap, nothing appears any more: only up to
 * there does the cursor move, and only past what was looked at. Everything later is looked at again each
 * time. Why nothing is repeated: what was told of and will be looked at again is remembered, by key,
 * revision and time of change. When that memory is full no more is told until the clock has moved the
 * border: late, but neither lost nor twice.
 *
 * Reading changes nothing; the caller keeps the new cursor when it has passed the records on.
 * @param read one page of the feed after a place
 */
export async function readFeed(read: Read, cursor: FeedCursor, options: ReadOptions): Promise<FeedReading> {
	const { limit, dueForMs, accepts, overlapMs = OVERLAP_MS, mostSeen = MOST_SEEN } = options;
	const seen = new Map(Object.entries(cursor.seen));
	const records: LedgerRecord[] = [];
	let page = await read(cursor.after, PAGE);
	const { at } = page;
	// Of the first page: a later one may promise more, but of what was read before it that isn't true.
	const border = { at: page.settled - overlapMs - dueForMs, key: '' };
	let remembered = [...seen.values()].filter((time) => time >= border.at).length;
	let looked = cursor.after;
	let isFull = false;

	for (;;) {
		for (const record of page.records) {
			const position = positionOf(record);
			const mark = versionMark(record);
			if (!seen.has(mark) && accepts(record)) {
				isFull = records.length >= limit || remembered >= mostSeen;
				if (isFull) break;
				records.push(record);
				seen.set(mark, position.at);
				if (position.at >= border.at) remembered += 1;
			}
			looked = position;
		}
		if (isFull || page.next === null) break;
		looked = page.next;
		page = await read(page.next, PAGE);
	}
	const after = later(cursor.after, isFull ? earlier(looked, border) : border);
	return { records, cursor: { after, seen: stillNeeded(seen, after) }, at };
}

function stillNeeded(seen: Map<string, number>, after: FeedPosition): Record<string, number> {
	return Object.fromEntries([...seen].filter(([, time]) => time >= after.at));
}

const later = (a: FeedPosition, b: FeedPosition) => (byFeedPosition(a, b) > 0 ? a : b);
const earlier = (a: FeedPosition, b: FeedPosition) => (byFeedPosition(a, b) < 0 ? a : b);

/**
 * Short name of a version of a record: 72 bits, far more than the few thousand that are compared need.
 * With the time of its change, since a key that was forgotten begins again at revision 1.
 */
function versionMark({ key, revision, updatedAt }: LedgerRecord): string {
	return createHash('sha256').update(JSON.stringify([key, revision, updatedAt])).digest('base64url').slice(0, 12);
}
