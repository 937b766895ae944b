import { LedgerError } from '../../core/errors';
import type { RedisSettings, TlsSettings } from '../../core/settings';
import type { ClusterOptions, RedisOptions } from '../../vendor/ioredis';

/**
 * A prefix ends up in key names beside the hash tag: a brace in it would be the tag and send records
 * and indexes to other slots; a blank or glob sign would make ACL patterns and KEYS ambiguous.
 */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;

/** @throws LedgerError INVALID_SETTINGS */
export function checkSettings(settings: RedisSettings): void {
	if (!PREFIX.test(settings.keyPrefix)) {
		throw invalid('Key Prefix must be 1 to 64 letters, digits or _ . : - and begin with a letter or digit');
	}
	if (settings.nodes.length === 0) throw invalid('Redis needs at least one host and port');
	if (settings.mode === 'sentinel' && settings.sentinelName === '') throw invalid('Sentinel needs a Master Name');
	if (settings.mode === 'cluster' && settings.database !== 0) throw invalid('A Redis Cluster has database 0 only');
	if (!Number.isInteger(settings.waitForReplicas) || settings.waitForReplicas < 0) {
		throw invalid('Wait For Replicas must be a whole number from 0');
	}
}

/**
 * Every client is one connection's life long: no reconnecting, no queue while it's away, no command
 * sent again by the driver. Connecting anew, and when, is connection.ts' business; a command whose
 * answer was lost is an error here, and the caller decides to repeat it.
 */
function baseOptions(settings: RedisSettings): RedisOptions {
	return {
		...(settings.user === '' ? {} : { username: settings.user }),
		...(settings.password === '' ? {} : { password: settings.password }),
		connectTimeout: settings.connectTimeoutMs,
		lazyConnect: true,
		retryStrategy: null,
		autoResendUnfulfilledCommands: false,
		enableReadyCheck: false, // asks INFO, a right that a ledger doesn't need
		maxRetriesPerRequest: 0,
		disconnectTimeout: 200, // a frozen server never answers our FIN
		protocol: 2, // one shape of replies on every server
		disableClientInfo: true,
		connectionName: 'n8n-nodes-idempotency',
		...(settings.tls.enabled ? { tls: tlsOptions(settings.tls) } : {}),
	} as RedisOptions;
}

export function redisOptions(settings: RedisSettings): RedisOptions {
	const base = { ...baseOptions(settings), db: settings.database, enableOfflineQueue: false };
	if (settings.mode !== 'sentinel') return { ...base, ...settings.nodes[0] };
	return {
		...base,
		sentinels: settings.nodes,
		name: settings.sentinelName,
		...(settings.sentinelUser === '' ? {} : { sentinelUsername: settings.sentinelUser }),
		...(settings.sentinelPassword === '' ? {} : { sentinelPassword: settings.sentinelPassword }),
		...(settings.tls.enabled ? { sentinelTLS: tlsOptions(settings.tls), enableTLSForSentinelMode: true } : {}),
		sentinelCommandTimeout: settings.connectTimeoutMs,
		sentinelRetryStrategy: null as never,
	};
}

export function clusterOptions(settings: RedisSettings): ClusterOptions {
	return {
		redisOptions: baseOptions(settings),
		lazyConnect: true,
		// A node's connection is made when the first command goes there, which waits for it; our own
		// time-out ends the wait, and with it the client.
		enableOfflineQueue: true,
		enableReadyCheck: false,
		clusterRetryStrategy: () => null,
		slotsRefreshTimeout: settings.connectTimeoutMs,
		maxRedirections: 5,
		retryDelayOnFailover: 0, // don't send again what may have been done
		// With certificates the name counts, not the address it leads to.
		...(settings.tls.enabled ? { dnsLookup: (host, done) => done(null, host) } : {}),
	};
}

function tlsOptions(tls: TlsSettings) {
	return {
		rejectUnauthorized: tls.verify,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		...(tls.certificate === null ? {} : { cert: tls.certificate }),
		...(tls.key === null ? {} : { key: tls.key }),
		...(tls.passphrase === null ? {} : { passphrase: tls.passphrase }),
		...(tls.serverName === null ? {} : { servername: tls.serverName }),
	};
}

function invalid(message: string): LedgerError {
	return new LedgerError('INVALID_SETTINGS', message);
}
