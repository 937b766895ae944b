import type { LedgerRecord } from '../../core/record';
import { present } from '../../core/transitions';
import { call, onKey } from './call';
import { decodeRecord, pairs, SLIM_FIELDS } from './recordFields';
import type { Fields } from './recordFields';
import type { RedisConnection } from './RedisConnection';

/** The store's clock, epoch ms. In a cluster, that of the node of the first key. */
export async function clock(connection: RedisConnection, key = connection.keys.probe()): Promise<number> {
	const [time] = await connection.read([call(key, 'time')]);
	return clockOf(time);
}

/** Whole records of the keys, in order; null where there is none, or it's over. */
export async function readRecords(
	connection: RedisConnection,
	keys: string[],
): Promise<{ records: Array<LedgerRecord | null>; at: number }> {
	const names = keys.map((key) => connection.keys.record(key));
	const calls = [call(names[0] ?? connection.keys.probe(), 'time'), ...names.map((name) => onKey('hgetall', name))];
	const [time, ...replies] = await connection.read(calls);
	const at = clockOf(time);
	return { records: replies.map((reply) => living(fieldsOf(reply), at)), at };
}

/** Records with the fields that filters and counts look at, and nothing in the rest. */
export async function readSlim(
	connection: RedisConnection,
	keys: string[],
	at: number,
): Promise<Array<LedgerRecord | null>> {
	const replies = await connection.read(keys.map((key) => onKey('hmget', connection.keys.record(key), ...SLIM_FIELDS)));
	return replies.map((reply) => {
		const fields: Fields = {};
		(reply as Array<string | null>).forEach((value, i) => {
			if (value !== null) fields[SLIM_FIELDS[i]] = value;
		});
		return living(fields, at);
	});
}

function living(fields: Fields, at: number): LedgerRecord | null {
	return Object.keys(fields).length === 0 ? null : present(decodeRecord(fields), at);
}

/** The driver makes an object of HGETALL's reply; a proxy or another version may not. */
function fieldsOf(reply: unknown): Fields {
	return Array.isArray(reply) ? pairs(reply as string[]) : (reply as Fields);
}

function clockOf(time: unknown): number {
	const [seconds, micros] = time as [string, string];
	return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
