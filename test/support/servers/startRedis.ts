import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from './freePort';
import { redisCommand } from './redisCommand';
import { ServerProcess } from './serverProcess';
import { removeFolder, temporaryFolder } from './temporaryFolder';

export interface RedisOptions {
	/** Lines of redis.conf, e.g. `{ 'maxmemory-policy': 'allkeys-lru' }`. An array repeats a line. */
	config?: Record<string, string | number | string[]>;
	/** Append-only file, flushed with every write. Without it nothing outlives a restart. */
	durable?: boolean;
	/** Demand this password of the default user. */
	password?: string;
	/** Paths of PEM files; the plain port is closed. */
	tls?: { certificate: string; key: string; ca: string; clientCertificates?: boolean };
	/** Makes this a read-only replica of a running server. */
	replicaOf?: RedisServer;
}

const READY = /Ready to accept connections|monitor master/;
const PORT_TRIES = 5;

/** A Redis (or Valkey) of the test's own, on loopback, in a temporary folder. */
export class RedisServer {
	readonly host = '127.0.0.1';
	port = 0;
	private process?: ServerProcess;

	/** Use startRedis. */
	constructor(
		readonly folder: string,
		private readonly options: RedisOptions,
		/** Extra arguments, e.g. --sentinel. */
		private readonly flags: string[] = [],
	) {}

	get password(): string | undefined {
		return this.options.password;
	}

	get url(): string {
		const secret = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`;
		return `redis${this.options.tls ? 's' : ''}://${secret}${this.host}:${this.port}`;
	}

	get pid(): number {
		if (!this.process) throw new Error('Redis was never started');
		return this.process.pid;
	}

	get running(): boolean {
		return this.process?.running ?? false;
	}

	/** The end of the log since the last start. */
	log(): string {
		return this.process?.log() ?? '';
	}

	/** Stops in order and keeps the folder; `start` brings it back on the same port. */
	async stop(): Promise<void> {
		await this.process?.end('SIGTERM');
	}

	/** SIGKILL. */
	async kill(): Promise<void> {
		await this.process?.end('SIGKILL');
	}

	/** Freezes it: connections stay open, nothing answers. */
	pause(): void {
		this.process?.signal('SIGSTOP');
	}

	resume(): void {
		this.process?.signal('SIGCONT');
	}

	/** Starts on the port and the folder it had. */
	async start(): Promise<void> {
		await this.launch(this.port);
	}

	/** The first start: on any free port. */
	async startOnFreePort(): Promise<void> {
		for (let left = PORT_TRIES; ; left--) {
			try {
				return await this.launch(await freePort());
			} catch (error) {
				if (!/Address already in use|port is already allocated/.test(String(error)) || left === 0) throw error;
			}
		}
	}

	/** Stops and removes the folder. */
	async dispose(): Promise<void> {
		await this.kill();
		removeFolder(this.folder);
	}

	private async launch(port: number): Promise<void> {
		if (this.running) throw new Error('Redis is running already');
		const { command, args, container } = redisCommand(this.folder, port);
		const file = join(this.folder, 'redis.conf');
		// Sentinel rewrites its file to remember what it found out.
		if (port !== this.port) {
			const address = container ? '0.0.0.0' : this.host;
			writeFileSync(file, configuration(this.folder, port, address, this.options, this.flags));
		}
		this.process = await ServerProcess.start({
			command,
			args: [...args, file, ...this.flags],
			readyLine: READY,
			folder: this.folder,
			container,
		});
		this.port = port;
	}
}

function configuration(
	folder: string,
	port: number,
	address: string,
	options: RedisOptions,
	flags: string[],
): string {
	const { durable, password, tls, replicaOf } = options;
	const lines: Record<string, string | number | string[]> = {
		bind: address,
		'protected-mode': 'no',
		dir: `"${folder}"`,
		...(tls ? { port: 0, 'tls-port': port } : { port }),
		...(durable && { appendonly: 'yes', appendfsync: 'always' }),
		// Sentinel knows no such line.
		...(!durable && !flags.includes('--sentinel') && { save: '""' }),
		...(password === undefined ? {} : { requirepass: JSON.stringify(password) }),
		...options.config,
	};
	if (tls) {
		Object.assign(lines, {
			'tls-cert-file': `"${tls.certificate}"`,
			'tls-key-file': `"${tls.key}"`,
			'tls-ca-cert-file': `"${tls.ca}"`,
			'tls-auth-clients': tls.clientCertificates ? 'yes' : 'no',
		});
	}
	if (replicaOf) {
		lines.replicaof = `${replicaOf.host} ${replicaOf.port}`;
		if (replicaOf.password !== undefined) lines.masterauth = JSON.stringify(replicaOf.password);
	}
	return Object.entries(lines)
		.flatMap(([name, value]) => [value].flat().map((each) => `${name} ${each}\n`))
		.join('');
}

/**
 * Starts a Redis of its own. The caller disposes of it; if this process dies first, a watchdog does.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
	const server = new RedisServer(temporaryFolder('redis'), options);
	try {
		await server.startOnFreePort();
	} catch (error) {
		await server.dispose();
		throw error;
	}
	return server;
}
