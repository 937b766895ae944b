import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';

import { Cluster, Redis } from 'ioredis';
import { Client } from 'pg';

import { makeCertificates } from './servers/certificates';
import { startPostgres, type PostgresServer } from './servers/startPostgres';
import { startRedis } from './servers/startRedis';
import { startRedisCluster } from './servers/startRedisCluster';
import { startSentinel } from './servers/startSentinel';
import { removeFolder, temporaryFolder } from './servers/temporaryFolder';

async function query(url: string, sql: string): Promise<Record<string, unknown>> {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		return (await client.query(sql)).rows[0] as Record<string, unknown>;
	} finally {
		await client.end();
	}
}

async function command(url: string, name: string, ...args: string[]): Promise<unknown> {
	const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
	client.on('error', () => {});
	await client.connect();
	try {
		return await client.call(name, ...args);
	} finally {
		client.disconnect();
	}
}

async function isOpen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = createConnection(port, '127.0.0.1');
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});
}

describe('the servers of this test run', () => {
	it('has a PostgreSQL', async () => {
		const row = await query(process.env.LEDGER_TEST_POSTGRES_URL ?? '', 'SELECT pg_is_in_recovery() AS standby');
		expect(row).toEqual({ standby: false });
	});

	it('has a Redis', async () => {
		expect(await command(process.env.LEDGER_TEST_REDIS_URL ?? '', 'PING')).toBe('PONG');
	});
});

describe('a private PostgreSQL', () => {
	let server: PostgresServer;
	beforeAll(async () => {
		server = await startPostgres({ password: 'p@ss word', durable: true, config: { max_connections: 17 } });
	});
	afterAll(async () => await server.dispose());

	it('takes settings and demands its password', async () => {
		expect(await query(server.url, 'SHOW max_connections')).toEqual({ max_connections: '17' });
		expect(await query(server.url, 'SHOW fsync')).toEqual({ fsync: 'on' });
		await expect(query(server.url.replace('p%40ss', 'wrong'), 'SELECT 1')).rejects.toThrow('password');
	});

	it.each(['fast', 'immediate', 'kill'] as const)('keeps port and data over %s and start', async (how) => {
		await query(server.url, `CREATE TABLE kept_${how} AS SELECT 42 AS answer`);
		const { port } = server;
		await (how === 'kill' ? server.kill() : server.stop(how));
		expect(await isOpen(port)).toBe(false);
		await server.start();
		expect(server.port).toBe(port);
		expect(await query(server.url, `SELECT answer FROM kept_${how}`)).toEqual({ answer: 42 });
	});

	it('can be followed by a standby', async () => {
		const standby = await startPostgres({ replicaOf: server });
		expect(await query(standby.url, 'SELECT pg_is_in_recovery() AS standby')).toEqual({ standby: true });
		await standby.dispose();
		expect(existsSync(standby.folder)).toBe(false);
	});
});

describe('a private Redis', () => {
	it('takes settings, demands its password, keeps data over a kill, goes without a trace', async () => {
		const config = { 'maxmemory-policy': 'allkeys-lru' };
		const server = await startRedis({ password: 'p@ss word', durable: true, config });
		await command(server.url, 'SET', 'answer', '42');
		await expect(command(server.url.replace('p%40ss', 'wrong'), 'PING')).rejects.toThrow();
		await server.kill();
		await server.start();
		expect(await command(server.url, 'GET', 'answer')).toBe('42');
		expect(await command(server.url, 'CONFIG', 'GET', 'maxmemory-policy')).toContain('allkeys-lru');

		const replica = await startRedis({ replicaOf: server });
		expect(await command(replica.url, 'INFO', 'replication')).toContain('role:slave');
		await Promise.all([replica.dispose(), server.dispose()]);
		expect(await isOpen(server.port)).toBe(false);
		expect(existsSync(server.folder)).toBe(false);
	});
});

describe('a Redis Cluster', () => {
	it('serves all slots', async () => {
		const cluster = await startRedisCluster();
		const client = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
		for (const key of ['a', 'b', 'c', 'd']) expect(await client.set(key, '1')).toBe('OK');
		client.disconnect();
		await cluster.dispose();
	});
});

describe('a Sentinel', () => {
	it('names the primary, and the promoted replica once that is gone', async () => {
		const primary = await startRedis();
		const replica = await startRedis({ replicaOf: primary });
		const sentinel = await startSentinel(primary);
		const client = new Redis({ sentinels: [{ host: sentinel.host, port: sentinel.port }], name: 'ledger' });
		client.on('error', () => {});
		await client.set('answer', '42');
		await client.wait(1, 5_000);
		// Sentinel learns of the replica from the primary, every ten seconds or at a change.
		while (!sentinel.log().includes('+slave')) await new Promise((resolve) => setTimeout(resolve, 50));
		await primary.kill();
		await new Promise((resolve) => client.once('ready', resolve));
		expect(await client.get('answer')).toBe('42');
		client.disconnect();
		await Promise.all([sentinel, replica, primary].map(async (server) => await server.dispose()));
	});
});

describe('servers that speak TLS', () => {
	it('show a certificate of the authority and ask for one', async () => {
		const { server, client, folder } = makeCertificates();
		const tls = { ...server, clientCertificates: true };
		const [postgres, redis] = await Promise.all([startPostgres({ tls }), startRedis({ tls })]);
		const ca = readFileSync(server.ca);
		const own = { ca, cert: readFileSync(client.certificate), key: readFileSync(client.key) };
		const ping = async (options: object): Promise<string> => {
			const connection = new Redis(redis.url, { lazyConnect: true, retryStrategy: () => null, tls: options });
			connection.on('error', () => {});
			await connection.connect();
			return await connection.ping().finally(() => connection.disconnect());
		};
		const select = async (ssl: object): Promise<unknown> => {
			const connection = new Client({ connectionString: postgres.url, ssl });
			await connection.connect();
			return await connection.query('SELECT 1').finally(async () => await connection.end());
		};
		expect(await ping(own)).toBe('PONG');
		await expect(select(own)).resolves.toHaveProperty('rowCount', 1);
		await expect(ping({ ca })).rejects.toThrow();
		await expect(select({ ca })).rejects.toThrow();
		await Promise.all([postgres.dispose(), redis.dispose()]);
		removeFolder(folder);
	});
});

describe('the watchdog', () => {
	it('ends the servers and removes their folders once its parent is gone', async () => {
		const folder = temporaryFolder('watchdog');
		const left = spawn('sleep', ['60']);
		const stopped = spawn('sleep', ['60']);
		const dog = spawn(process.execPath, [join(__dirname, '../../scripts/watchdogProcess.mjs')]);
		for (const line of [
			{ watch: { id: 'left', pid: left.pid, folder } },
			{ watch: { id: 'stopped', pid: stopped.pid } },
			{ forget: 'stopped' },
		]) {
			dog.stdin.write(`${JSON.stringify(line)}\n`);
		}
		dog.stdin.end(); // what the kernel does when the parent dies
		await once(left, 'exit');
		await once(dog, 'exit');
		expect(existsSync(folder)).toBe(false);
		expect(stopped.exitCode).toBeNull();
		stopped.kill();
	});
});
