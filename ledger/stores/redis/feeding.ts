import type { ExpireCommand } from '../../core/commands';
import { inFilter, lastDue, positionOf, tellsOf } from '../../core/feed';
import type { ChangesPage, ChangesQuery, FeedPosition } from '../../core/feed';
import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import { answerOf } from './answers';
import { scriptCall } from './call';
import { FEED_LETTERS } from './keys';
import { MergedRows } from './MergedRows';
import { readRecords } from './records';
import type { RedisConnection } from './RedisConnection';

const rowAt = ({ at, key }: FeedPosition): Position => ({ createdAt: at, key });

/** A page of a feed, merged from the shards' indexes. */
export async function readChanges(connection: RedisConnection, query: ChangesQuery): Promise<ChangesPage> {
	const merged = new MergedRows(connection, {
		letters: FEED_LETTERS[query.feed],
		after: query.after && rowAt(query.after),
		expected: query.limit,
		accepts: (record, _row, at) => tellsOf(record, query, at),
		until: (at) => lastDue(query, at),
	});
	const found = await take(merged, query.limit);
	const { records } = await readRecords(connection, found.map(({ key }) => key));
	// A script decides and writes in one step, so nothing is under way with an older time; in a cluster each
	// node has a clock of its own, and the earliest counts.
	const settled = merged.at ?? 0;
	// One that changed since it was found is in another place now, to be met there; so is a key's new life.
	const still = records.filter((record, i) => record !== null && tellsOf(record, query, settled) && positionOf(record).at === found[i].createdAt);
	const last = found[found.length - 1];
	const next = found.length === query.limit ? { at: last.createdAt, key: last.key } : null;
	return { records: still as LedgerRecord[], next, settled, at: settled };
}

/** Moves claims that are over: found in the indexes, decided one by one by a script. */
export async function expireRecords(connection: RedisConnection, command: ExpireCommand): Promise<LedgerRecord[]> {
	const merged = new MergedRows(connection, {
		letters: FEED_LETTERS.expirable,
		after: null,
		expected: command.limit,
		accepts: (record) => inFilter(record, command),
		until: (at) => at - command.graceMs,
	});
	const found = await take(merged, command.limit);
	const { keys } = connection;
	const args = ['graceMs', String(command.graceMs)];
	const replies = await connection.write(
		found.map(({ key }) => scriptCall('expire', [keys.record(key), keys.indexOf(key)], args)),
	);
	return replies
		.map((reply) => answerOf<'expired' | 'kept'>(reply))
		.flatMap(({ outcome, record }) => (outcome === 'expired' && record ? [record] : []));
}

async function take(merged: MergedRows, limit: number): Promise<Position[]> {
	const found: Position[] = [];
	while (found.length < limit) {
		const next = await merged.next();
		if (next === null) break;
		found.push(next);
	}
	return found;
}
