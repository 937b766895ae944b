import { checkLimit, decodeCursor, encodeCursor, matches, pageOf } from '../../core/listing';
import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { ListPage, ListQuery } from '../../core/store';
import { keysWithExternalId } from './externalIds';
import { stateLetters } from './keys';
import { MergedRows } from './MergedRows';
import { readRecords } from './records';
import type { RedisConnection } from './RedisConnection';

/** More keys than this under one external ID, and the listing goes through the states instead. */
const FEW = 1000;

/** A page, merged from the shards' indexes. @throws LedgerError INVALID_CURSOR, INVALID_PARAMETER */
export async function listRecords(connection: RedisConnection, query: ListQuery): Promise<ListPage> {
	const limit = checkLimit(query.limit);
	const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
	if (query.externalId !== undefined) {
		const keys = await keysWithExternalId(connection, query.externalId, FEW + 1);
		if (keys.length <= FEW) {
			const { records, at } = await readRecords(connection, keys);
			return pageOf(records.filter((record) => record !== null), query, at);
		}
	}
	const letters = stateLetters(query.stuck ? ['processing'] : query.states);
	const merge = new MergedRows(connection, {
		letters,
		after,
		expected: limit + 1,
		// A row of an earlier life of the key is left over.
		accepts: (record, position, at) => record.createdAt === position.createdAt && matches(record, query, at),
	});
	const found: Position[] = [];
	while (found.length <= limit) {
		const next = await merge.next();
		if (next === null) break;
		found.push(next);
	}
	const page = found.slice(0, limit);
	const { records, at } = await readRecords(connection, page.map(({ key }) => key));
	const nextCursor = found.length > limit ? encodeCursor(page[page.length - 1]) : null;
	// A record may have changed since it was found; that it's on the page or not is then both right.
	const still = records.filter((record, i) => record !== null && record.createdAt === page[i].createdAt);
	return { records: (still as LedgerRecord[]).filter((record) => matches(record, query, at)), nextCursor, at };
}
