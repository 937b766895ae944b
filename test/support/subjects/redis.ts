import { randomBytes } from 'node:crypto';

import { Redis } from 'ioredis';

import type { RedisSettings } from '../../../ledger/core/settings';
import type { LedgerRecord } from '../../../ledger/core/record';
import { Keys, expiryRow, feedRow, stateRow } from '../../../ledger/stores/redis/keys';
import { decodeRecord, encodeRecord } from '../../../ledger/stores/redis/recordFields';
import { RedisStore } from '../../../ledger/stores/redis/RedisStore';
import type { Subject } from '../subject';

/** Settings for a Redis at a URL, plain; what a test is about goes into `changes`. */
export function redisSettings(url: string, changes: Partial<RedisSettings> = {}): RedisSettings {
	const { hostname, port, username, password, pathname, protocol } = new URL(url);
	return {
		kind: 'redis',
		mode: 'standalone',
		nodes: [{ host: hostname, port: Number(port || 6379) }],
		sentinelName: '',
		sentinelUser: '',
		sentinelPassword: '',
		user: decodeURIComponent(username),
		password: decodeURIComponent(password),
		database: Number(pathname.slice(1) || 0),
		keyPrefix: 'test',
		tls: {
			enabled: protocol === 'rediss:',
			verify: true,
			ca: null,
			certificate: null,
			key: null,
			passphrase: null,
			serverName: null,
		},
		connectTimeoutMs: 5000,
		commandTimeoutMs: 5000,
		waitForReplicas: 0,
		...changes,
	};
}

/** A key prefix that no other test has. */
export const ownPrefix = () => `test-${randomBytes(6).toString('hex')}`;

export const redis: Subject = {
	name: 'redis',
	async open() {
		const url = process.env.LEDGER_TEST_REDIS_URL ?? '';
		const keyPrefix = ownPrefix();
		const settings = redisSettings(url, { keyPrefix });
		const stores = [new RedisStore(settings)];
		const raw = new Redis(url, { lazyConnect: true });
		const keys = new Keys(keyPrefix);
		return {
			store: stores[0],
			another: async () => {
				stores.push(new RedisStore(settings));
				return stores[stores.length - 1];
			},
			put: async (record) => await put(raw, keys, record),
			close: async () => {
				await Promise.all(stores.map(async (store) => await store.close()));
				await removeAll(raw, keyPrefix);
				raw.disconnect();
			},
		};
	},
};

/** Writes a record as given, with its rows. One that is over already stays: Redis would remove it at once. */
export async function put(raw: Redis, keys: Keys, record: LedgerRecord): Promise<void> {
	const name = keys.record(record.key);
	const index = keys.indexOf(record.key);
	const before = await raw.hgetall(name);
	const multi = raw.multi().del(name);
	if (before.key !== undefined) multi.zrem(index, ...rows(decodeRecord(before)));
	multi.hset(name, encodeRecord(record));
	for (const row of rows(record)) multi.zadd(index, 0, row);
	if (record.externalId !== null) {
		const external = keys.external(record.externalId);
		multi.zadd(external.index, 0, external.head + record.key);
	}
	const end = endOf(record);
	if (end !== null && end > Date.now()) multi.pexpireat(name, end);
	const results = await multi.exec();
	for (const [error] of results ?? []) if (error) throw error;
}

function rows(record: LedgerRecord): string[] {
	const end = endOf(record);
	const feed = feedRow(record);
	const expiry = end === null ? [] : [expiryRow(end, record)];
	return [stateRow(record.state, record), ...expiry, ...(feed === null ? [] : [feed])];
}

function endOf({ state, ephemeral, expiresAt }: LedgerRecord): number | null {
	return ephemeral || state === 'succeeded' || state === 'permanent_failed' ? expiresAt : null;
}

async function removeAll(raw: Redis, prefix: string): Promise<void> {
	for await (const names of raw.scanStream({ match: `${prefix}:*`, count: 1000 })) {
		if ((names as string[]).length > 0) await raw.unlink(...(names as string[]));
	}
}
