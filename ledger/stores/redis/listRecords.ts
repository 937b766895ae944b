import { byAge, checkLimit, decodeCursor, encodeCursor, matches, pageOf } from '../../core/listing';
import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { ListPage, ListQuery } from '../../core/store';
import { scriptCall } from './call';
import { keysWithExternalId } from './externalIds';
import { positionRow, rowPosition, SHARDS, stateLetters } from './keys';
import { readRecords, readSlim } from './records';
import type { RedisConnection } from './RedisConnection';

/** More keys than this under one external ID, and the listing goes through the states instead. */
const FEW = 1000;
/** Rows of one shard in one go: bounds the time a script holds the server. */
const MOST_ROWS = 250;

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
	const merge = new Merge(connection, letters, after, query, limit);
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

/** A shard's rows in order, fetched in pieces. */
interface Source {
	shard: number;
	/** found and not handed out yet */
	found: Position[];
	/** row to go on after; '' = from the start */
	position: string;
	ended: boolean;
}

/** Records that match, oldest first, over all shards. */
class Merge {
	private readonly sources: Source[];
	private rows: number;
	/** the clock of the first answer: one moment for the whole page */
	private at: number | null = null;

	constructor(
		private readonly connection: RedisConnection,
		private readonly letters: string,
		after: Position | null,
		private readonly query: ListQuery,
		limit: number,
	) {
		const position = after === null ? '' : positionRow(after);
		this.sources = Array.from({ length: SHARDS }, (_none, shard) => ({ shard, found: [], position, ended: letters === '' }));
		this.rows = Math.ceil((2 * (limit + 1)) / SHARDS);
	}

	async next(): Promise<Position | null> {
		for (;;) {
			const hungry = this.sources.filter(({ found, ended }) => found.length === 0 && !ended);
			if (hungry.length === 0) break;
			await this.fetch(hungry);
		}
		const heads = this.sources.filter(({ found }) => found.length > 0);
		if (heads.length === 0) return null;
		return heads.reduce((a, b) => (byAge(a.found[0], b.found[0]) < 0 ? a : b)).found.shift()!;
	}

	private async fetch(sources: Source[]): Promise<void> {
		const { keys } = this.connection;
		const replies = (await this.connection.read(
			sources.map(({ shard, position }) =>
				scriptCall('index', [keys.index(shard)], [this.letters, position, String(this.rows)]),
			),
		)) as string[][];
		this.at ??= Number(replies[0][0]);
		const at = this.at;
		const positions = replies.flatMap(([, ...rows]) => rows.map(rowPosition));
		const records = await readSlim(this.connection, positions.map(({ key }) => key), at);
		let next = 0;
		sources.forEach((source, i) => {
			const rows = replies[i].slice(1);
			for (const row of rows) {
				const position = positions[next];
				const record = records[next++];
				source.position = row;
				// A row of an earlier life of the key is left over.
				if (record === null || record.createdAt !== position.createdAt) continue;
				if (matches(record, this.query, at)) source.found.push(position);
			}
			source.ended = rows.length < this.rows;
		});
		// Where little matches, larger steps.
		this.rows = Math.min(this.rows * 2, MOST_ROWS);
	}
}
