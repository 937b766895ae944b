import { createHash } from 'node:crypto';

import { feedOf } from '../../core/feed';
import type { FeedOrExpirable } from '../../core/feed';
import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { LedgerState } from '../../core/states';

/**
 * The layout. A record, and the index row that finds it, share a hash tag, so that one script may
 * touch both in a cluster:
 *
 *   <prefix>:{<shard>}:r:<key>      hash, the record
 *   <prefix>:{<shard>}:index        sorted set of rows, all with score 0: Redis orders them byte by byte
 *   <prefix>:{<shard>}:externals    the same, rows of external IDs; sharded by the ID, not by the key
 *
 * Index rows: a letter for the state, 16 digits creation time, the key; for what may be forgotten `X`, 16
 * digits expiry, 16 digits creation, 16 digits last change, the key; and for what a feed tells of a small
 * letter, 16 digits of the feed's time, the key. A prefix range is a listing, or a feed, in order. A row
 * names the one life of a key it belongs to: a row whose record has another time is left over.
 *
 * 64 shards: enough that each of 3 masters gets a third (22, 21, 21 with an even split of the slots),
 * few enough that a listing asks them all in one pipeline. A constant of the layout: changing it would
 * lose sight of every record.
 */
export const SHARDS = 64;

const STATE_LETTERS: Record<LedgerState, string> = {
	processing: 'P',
	succeeded: 'S',
	retryable_failed: 'R',
	permanent_failed: 'F',
	needs_review: 'N',
};

export const FEED_LETTERS: Record<FeedOrExpirable, string> = {
	review: 'n',
	failed: 'f',
	lapsed: 'l',
	overdue: 'r',
	expirable: 'e',
};

/** Keep in step with LAST_MS in lua/include/record.lua. */
const LAST_MS = Number.MAX_SAFE_INTEGER;

/** Letters of the states, all of them without `states`. */
export function stateLetters(states: readonly LedgerState[] = Object.keys(STATE_LETTERS) as LedgerState[]): string {
	return [...new Set(states)].map((state) => STATE_LETTERS[state]).join('');
}

export const stateRow = (state: LedgerState, position: Position) => STATE_LETTERS[state] + positionRow(position);
export const expiryRow = (expiresAt: number, { createdAt, updatedAt, key }: Position & { updatedAt: number }) =>
	`X${digits(expiresAt)}${digits(createdAt)}${digits(updatedAt)}${key}`;
export const positionRow = ({ createdAt, key }: Position) => digits(createdAt) + key;

/** The row of the feed that a record is in; null for none. */
export function feedRow(record: LedgerRecord): string | null {
	const place = feedOf(record);
	return place && FEED_LETTERS[place.feed] + digits(place.at) + record.key;
}

/** A row without its letter. */
export function rowPosition(row: string): Position {
	return { createdAt: Number(row.slice(0, 16)), key: row.slice(16) };
}

/** Key of an expiry row. */
export const expiryRowKey = (row: string) => row.slice(49);

/** 16 digits, so that text order is the order of time. */
export function digits(ms: number): string {
	return Math.min(Math.max(ms, 0), LAST_MS).toFixed(0).padStart(16, '0');
}

/** Names of Redis keys below one prefix. */
export class Keys {
	constructor(readonly prefix: string) {}

	record(key: string): string {
		return `${this.tag(shardOf(key))}:r:${key}`;
	}

	/** Index of the shard that a key's record is in. */
	indexOf(key: string): string {
		return this.index(shardOf(key));
	}

	index(shard: number): string {
		return `${this.tag(shard)}:index`;
	}

	externals(shard: number): string {
		return `${this.tag(shard)}:externals`;
	}

	/** Where the rows of an external ID are, and what they start with; a row ends with the key. */
	external(externalId: string): { index: string; head: string } {
		const hash = createHash('sha256').update(JSON.stringify(externalId));
		const head = `${hash.digest('hex').slice(0, 32)}:`;
		return { index: this.externals(shardOf(head)), head };
	}

	/** A key that is never written: deleting it finds out whether the server takes writes. */
	probe(shard = 0): string {
		return `${this.tag(shard)}:probe`;
	}

	private tag(shard: number): string {
		return `${this.prefix}:{${shard}}`;
	}
}

function shardOf(text: string): number {
	return createHash('sha256').update(text, 'utf8').digest()[0] % SHARDS;
}
