import { LedgerError } from '../../core/errors';
import type { RedisSettings } from '../../core/settings';
import type { Cluster, Redis } from '../../vendor/ioredis';
import type { Call } from './call';
import { clusterOptions, redisOptions } from './clientOptions';
import { pause, within } from './deadline';
import type { Keys } from './keys';
import { replyCode, toLedgerError } from './redisErrors';

export type Client = Redis | Cluster;

/**
 * Connect, and make sure that it's a primary that takes writes.
 * @param ended called once the connection is gone, for whatever reason
 * @throws LedgerError within `connectTimeoutMs`
 */
export async function connect(
	settings: RedisSettings,
	keys: Keys,
	ended: (client: Client) => void,
): Promise<Client> {
	const { Cluster: ClusterClient, Redis: RedisClient } = await import('../../vendor/ioredis');
	const client =
		settings.mode === 'cluster'
			? new ClusterClient(settings.nodes, clusterOptions(settings))
			: new RedisClient(redisOptions(settings));
	// Without a listener an 'error' event would end the process. Some are only events: a refused SELECT
	// leaves the connection "ready", on database 0.
	let failure: Error | undefined;
	client.on('error', (error: Error) => (failure ??= error));
	client.once('end', () => ended(client));
	const opening = client.connect().then(async () => {
		if (failure) throw failure;
		await untilLoaded(client, keys, settings.connectTimeoutMs);
	});
	opening.catch(() => undefined); // late failures, after the deadline
	try {
		const late = `Can't reach Redis: no connection within ${settings.connectTimeoutMs} ms`;
		await within(settings.connectTimeoutMs, opening, () => new LedgerError('UNREACHABLE', late));
		return client;
	} catch (error) {
		client.disconnect();
		throw toLedgerError(failure ?? error);
	}
}

/** A server that has just started answers LOADING for a while; that's no reason to fail a claim. */
async function untilLoaded(client: Client, keys: Keys, timeoutMs: number): Promise<void> {
	const until = Date.now() + timeoutMs;
	for (;;) {
		const [[error]] = (await client.pipeline().call('del', keys.probe()).exec()) ?? [[null]];
		if (!error) return;
		if (replyCode(error.message) !== 'LOADING' || Date.now() > until) {
			// A full disk or missing replicas stop writes, not reads: the command itself will tell.
			if (['MISCONF', 'NOREPLICAS'].includes(replyCode(error.message) ?? '')) return;
			throw toLedgerError(error);
		}
		await pause(50);
	}
}

/** Send calls down one connection in one go; one reply or error for each. */
export async function pipelined(client: Client, calls: Call[]): Promise<unknown[]> {
	const pipeline = client.pipeline();
	for (const { name, args } of calls) pipeline.call(name, ...args);
	const results = (await pipeline.exec()) ?? [];
	return results.map(([error, reply]) => error ?? reply);
}
