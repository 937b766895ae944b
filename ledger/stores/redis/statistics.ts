import { countRecord, noOperation } from '../../core/statistics';
import type { OperationStatistics, Statistics } from '../../core/store';
import { scriptCall } from './call';
import { rowPosition, SHARDS, stateLetters } from './keys';
import { clock, readSlim } from './records';
import type { RedisConnection } from './RedisConnection';

/** Rows of one shard, and shards, in one go: about a thousand small reads, a few milliseconds each time. */
const ROWS = 125;
const SHARDS_AT_ONCE = 8;

/** Counts every living record, shard by shard, in steps that let other clients in. */
export async function countRecords(connection: RedisConnection): Promise<Statistics> {
	const at = await clock(connection);
	const operations = new Map<string, OperationStatistics>();
	for (let shard = 0; shard < SHARDS; shard += SHARDS_AT_ONCE) {
		const sources = Array.from({ length: SHARDS_AT_ONCE }, (_none, i) => ({ shard: shard + i, position: '' }));
		await countShards(connection, sources, at, operations);
	}
	const sorted = [...operations.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
	return { operations: sorted, at };
}

async function countShards(
	connection: RedisConnection,
	sources: Array<{ shard: number; position: string }>,
	at: number,
	operations: Map<string, OperationStatistics>,
): Promise<void> {
	const letters = stateLetters();
	for (let left = sources; left.length > 0; ) {
		const replies = (await connection.read(
			left.map(({ shard, position }) =>
				scriptCall('index', [connection.keys.index(shard)], [letters, position, String(ROWS)]),
			),
		)) as string[][];
		const pages = replies.map(([, ...rows]) => rows);
		const positions = pages.flat().map(rowPosition);
		const records = await readSlim(connection, positions.map(({ key }) => key), at);
		records.forEach((record, i) => {
			if (record === null || record.createdAt !== positions[i].createdAt) return;
			const counts = operations.get(record.operation) ?? noOperation(record.operation);
			operations.set(record.operation, counts);
			countRecord(counts, record, at);
		});
		left = left
			.map(({ shard }, i) => ({ shard, position: pages[i][ROWS - 1] }))
			.filter(({ position }) => position !== undefined);
	}
}
