import { join } from 'node:path';

import { freePort } from './freePort';
import { configurePostgres, initialisePostgres, POSTGRES_ENV } from './initialisePostgres';
import { postgresBinaries } from './postgresBinaries';
import { standbyDataOf } from './postgresStandby';
import { ServerProcess } from './serverProcess';
import { removeFolder, temporaryFolder } from './temporaryFolder';
import { unprivilegedAccount } from './unprivilegedAccount';

export interface PostgresOptions {
	/** Settings for postgresql.conf, e.g. `{ default_transaction_isolation: 'serializable' }`. */
	config?: Record<string, string | number | boolean>;
	/** Flush every commit to disk, as a real server does. Without it contract tests are quick. */
	durable?: boolean;
	/** Demand this password (scram-sha-256). Without one everybody on loopback may enter. */
	password?: string;
	/** Paths of PEM files. With `clientCertificates` a client has to show one of this CA. */
	tls?: { certificate: string; key: string; ca: string; clientCertificates?: boolean };
	/** Makes this a streaming hot standby of a running server. */
	replicaOf?: PostgresServer;
}

/** smart waits for the clients, fast disconnects them, immediate is a crash that closes its sockets. */
const STOP_SIGNAL = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type PostgresStop = keyof typeof STOP_SIGNAL;

const USER = 'ledger';
const READY = /database system is ready to accept (read-only )?connections/;
const PORT_TRIES = 5;
/** After a SIGKILL the back ends outlive the postmaster for a moment and hold its shared memory. */
const RESTART_TRIES = 50;

/** A PostgreSQL of the test's own, on loopback, in a temporary folder. */
export class PostgresServer {
	readonly host = '127.0.0.1';
	readonly user = USER;
	readonly database = 'postgres';
	port = 0;
	private process?: ServerProcess;

	/** Use startPostgres. */
	constructor(
		private readonly bin: string,
		readonly folder: string,
		readonly password: string | undefined,
	) {}

	get url(): string {
		const secret = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}`;
		return `postgresql://${this.user}${secret}@${this.host}:${this.port}/${this.database}`;
	}

	/** Of the postmaster. */
	get pid(): number {
		if (!this.process) throw new Error('PostgreSQL was never started');
		return this.process.pid;
	}

	get running(): boolean {
		return this.process?.running ?? false;
	}

	/** The end of the log since the last start. */
	log(): string {
		return this.process?.log() ?? '';
	}

	/** Stops and keeps the data; `start` brings it back on the same port. */
	async stop(how: PostgresStop = 'fast'): Promise<void> {
		await this.process?.end(STOP_SIGNAL[how]);
	}

	/** SIGKILL: nothing is flushed, clients see their connections end. */
	async kill(): Promise<void> {
		await this.process?.end('SIGKILL');
	}

	/** Starts on the port and the data it had. */
	async start(): Promise<void> {
		for (let left = RESTART_TRIES; ; left--) {
			try {
				return await this.launch(this.port);
			} catch (error) {
				const held = /pre-existing shared memory|lock file "postmaster.pid" already exists/.test(String(error));
				if (!held || left === 0) throw error;
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
		}
	}

	/** The first start: on any free port. */
	async startOnFreePort(): Promise<void> {
		for (let left = PORT_TRIES; ; left--) {
			try {
				return await this.launch(await freePort());
			} catch (error) {
				if (!/could not bind/.test(String(error)) || left === 0) throw error;
			}
		}
	}

	/** Stops and removes the data. */
	async dispose(): Promise<void> {
		await this.stop('immediate');
		removeFolder(this.folder);
	}

	private async launch(port: number): Promise<void> {
		if (this.running) throw new Error('PostgreSQL is running already');
		this.process = await ServerProcess.start({
			command: join(this.bin, 'postgres'),
			args: ['-D', join(this.folder, 'data'), '-p', String(port)],
			readyLine: READY,
			folder: this.folder,
			account: unprivilegedAccount(),
			env: POSTGRES_ENV,
		});
		this.port = port;
	}
}

/**
 * Starts a PostgreSQL of its own. The caller disposes of it; if this process dies first, a watchdog
 * does.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
	const bin = postgresBinaries();
	const account = unprivilegedAccount();
	const primary = options.replicaOf;
	const password = primary ? primary.password : options.password;
	const server = new PostgresServer(bin, temporaryFolder('postgres', account), password);
	const data = join(server.folder, 'data');
	try {
		if (primary) await standbyDataOf(primary, data, account);
		else initialisePostgres(bin, server.folder, USER, password, account);
		const replication = primary && { primary_conninfo: `${primary.url}?application_name=standby` };
		configurePostgres(data, { ...options, config: { ...replication, ...options.config } }, account);
		await server.startOnFreePort();
	} catch (error) {
		await server.dispose();
		throw error;
	}
	return server;
}
