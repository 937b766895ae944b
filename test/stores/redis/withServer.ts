import type { RedisSettings } from '../../../ledger/core/settings';
import type { LedgerError } from '../../../ledger/core/errors';
import { RedisStore } from '../../../ledger/stores/redis/RedisStore';
import { Redis } from 'ioredis';
import { redisSettings } from '../../support/subjects/redis';

const opened: Array<{ close(): Promise<void> }> = [];

/** A store that is closed after the test. */
export function storeAt(url: string, changes: Partial<RedisSettings> = {}): RedisStore {
	const store = new RedisStore(redisSettings(url, changes));
	opened.push(store);
	return store;
}

/** A plain client that is closed after the test. */
export function clientAt(url: string): Redis {
	const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
	client.on('error', () => undefined);
	opened.push({ close: async () => client.disconnect() });
	return client;
}

/** For afterEach. */
export async function closeAll(): Promise<void> {
	await Promise.all(opened.splice(0).map(async (one) => await one.close()));
}

/** The error a call fails with, and how long that took. */
export async function failure(work: Promise<unknown>): Promise<{ error: LedgerError; ms: number }> {
	const began = Date.now();
	const error = await work.then(
		() => null,
		(thrown: LedgerError) => thrown,
	);
	if (error === null) throw new Error('It did not fail');
	return { error, ms: Date.now() - began };
}

/** Ask again until it holds; the last failure otherwise. */
export async function eventually<Result>(work: () => Promise<Result>, timeoutMs = 8000): Promise<Result> {
	const until = Date.now() + timeoutMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (Date.now() > until) throw error;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
}
