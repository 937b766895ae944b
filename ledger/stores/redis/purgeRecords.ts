import { onKey, scriptCall } from './call';
import { digits, expiryRowKey, SHARDS } from './keys';
import { clock, readSlim } from './records';
import type { RedisConnection } from './RedisConnection';

/** Rows of one shard in one step. */
const ROWS = 50;
/** External IDs looked at per purge: shards, and rows of each. */
const SAMPLED_SHARDS = 4;
const SAMPLED_ROWS = 25;
/** A row may be a moment older than its record; one that old is left over. */
const SETTLED_MS = 3600 * 1000;

/**
 * Removes what is over: records, and the index rows of records that Redis' own expiry has removed
 * already; both count. Some left-over rows of external IDs too, by sampling as Redis' own expiry does:
 * nothing depends on them, every reader looks at the record.
 */
export async function purgeRecords(connection: RedisConnection, limit: number): Promise<number> {
	const at = await clock(connection);
	let gone = 0;
	// From any shard on, so that small purges get round to all of them.
	const start = Math.floor(Math.random() * SHARDS);
	let shards = Array.from({ length: SHARDS }, (_none, i) => (start + i) % SHARDS);
	while (shards.length > 0 && gone < limit) {
		const due = (await connection.read(
			shards.map((shard) =>
				onKey('zrange', connection.keys.index(shard), '[X', `[X${digits(at)}\uffff`, 'BYLEX', 'LIMIT', 0, ROWS),
			),
		)) as string[][];
		const rows = due.flat().slice(0, limit - gone);
		if (rows.length === 0) break;
		const went = await connection.write(rows.map((row) => forget(connection, row)));
		const removed = went.filter((reply) => reply === 1).length;
		gone += removed;
		// None of them can go (clocks that differ between nodes): not for ever again.
		if (removed === 0) break;
		shards = shards.filter((_shard, i) => due[i].length > 0);
	}
	await purgeExternalIds(connection, at);
	return gone;
}

function forget({ keys }: RedisConnection, row: string) {
	const key = expiryRowKey(row);
	return scriptCall('forget', [keys.record(key), keys.indexOf(key)], ['row', row]);
}

async function purgeExternalIds(connection: RedisConnection, at: number): Promise<void> {
	const start = Math.floor(Math.random() * SHARDS);
	const indexes = Array.from({ length: SAMPLED_SHARDS }, (_none, i) => connection.keys.externals((start + i) % SHARDS));
	const samples = (await connection.read(
		indexes.map((index) => onKey('zrandmember', index, SAMPLED_ROWS)),
	)) as string[][];
	const rows = samples.flatMap((sample, i) => sample.map((row) => ({ index: indexes[i], row })));
	const records = await readSlim(connection, rows.map(({ row }) => row.slice(row.indexOf(':') + 1)), at);
	const left = rows.filter(({ row }, i) => {
		const record = records[i];
		if (record === null) return true;
		const { head } = connection.keys.external(record.externalId ?? '');
		return !(record.externalId !== null && row.startsWith(head)) && at - record.updatedAt > SETTLED_MS;
	});
	await connection.write(left.map(({ index, row }) => onKey('zrem', index, row)));
}
