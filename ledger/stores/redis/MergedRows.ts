import { byAge } from '../../core/listing';
import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import { scriptCall } from './call';
import { positionRow, rowPosition, SHARDS } from './keys';
import { readSlim } from './records';
import type { RedisConnection } from './RedisConnection';

/** Rows of one shard in one go: bounds the time a script holds the server. */
const MOST_ROWS = 250;

/** A shard's rows in order, fetched in pieces. */
interface Source {
	shard: number;
	/** found and not handed out yet */
	found: Position[];
	/** row to go on after; '' = from the start */
	position: string;
	ended: boolean;
}

export interface Selection {
	/** letters of the rows (keys.ts) */
	letters: string;
	/** exclusive; null = from the start. `createdAt` is whatever time the rows are ordered by. */
	after: Position | null;
	/** how many will be asked for, about */
	expected: number;
	/** whether the record, with its slim fields, belongs to that row and is wanted */
	accepts(record: LedgerRecord, position: Position, at: number): boolean;
	/** the last time of interest, by the server's clock; none = all */
	until?(at: number): number;
}

/** Records that are wanted, in the rows' order, over all shards. */
export class MergedRows {
	/** the earliest of the shards' clocks at the first look; in a cluster they differ */
	at: number | null = null;
	private readonly sources: Source[];
	private rows: number;

	constructor(
		private readonly connection: RedisConnection,
		private readonly selection: Selection,
	) {
		const { letters, after, expected } = selection;
		const position = after === null ? '' : positionRow(after);
		this.sources = Array.from({ length: SHARDS }, (_none, shard) => ({ shard, found: [], position, ended: letters === '' }));
		this.rows = Math.min(Math.ceil((2 * expected) / SHARDS) + 1, MOST_ROWS);
	}

	/** null at the end */
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
		const { letters, accepts, until } = this.selection;
		const replies = (await this.connection.read(
			sources.map(({ shard, position }) =>
				scriptCall('index', [keys.index(shard)], [letters, position, String(this.rows)]),
			),
		)) as string[][];
		this.at ??= Math.min(...replies.map(([clock]) => Number(clock)));
		const at = this.at;
		const last = until?.(at) ?? Infinity;
		const pages = replies.map(([, ...rows]) => rows.map((row) => ({ row, position: rowPosition(row) })));
		const wanted = pages.map((page) => page.filter(({ position }) => position.createdAt <= last));
		const records = await readSlim(this.connection, wanted.flat().map(({ position }) => position.key), at);
		let next = 0;
		sources.forEach((source, i) => {
			for (const { row, position } of wanted[i]) {
				const record = records[next++];
				source.position = row;
				if (record !== null && accepts(record, position, at)) source.found.push(position);
			}
			source.ended = pages[i].length < this.rows || wanted[i].length < pages[i].length;
		});
		// Where little matches, larger steps.
		this.rows = Math.min(this.rows * 2, MOST_ROWS);
	}
}
