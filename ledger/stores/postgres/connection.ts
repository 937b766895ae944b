import { checkServerIdentity } from 'node:tls';

import { LedgerError } from '../../core/errors';
import type { PostgresSettings, TlsSettings } from '../../core/settings';
import type { Pool, PoolClient } from '../../vendor/pg';
import { isRolledBack, isServerAnswer, toLedgerError } from './driverErrors';
import { within } from './within';

/** Every column as the text that came over the wire; each caller knows what it asked for. */
export type Row = Record<string, string | null>;
export type RunStatement = (sql: string, values?: unknown[]) => Promise<Row[]>;

/** An idle connection is closed after this; the next command pays for a new one. */
const IDLE_MS = 30_000;
/** Tries of a statement that the server rolled back because of others. */
const TRIES = 6;
/** A migration may rewrite a table. */
const MIGRATION_MS = 60_000;

/**
 * A bounded pool of connections. Statements are unnamed and leave nothing on a session, so each may
 * run on any connection, through PgBouncer in transaction mode as well.
 */
export class PostgresConnection {
	private pool: Promise<Pool> | null = null;
	private closed = false;
	private inUse = 0;

	constructor(private readonly settings: PostgresSettings) {}

	/**
	 * Run one statement, again if the server rolled it back because of others.
	 * @throws LedgerError
	 */
	async run(doing: string, sql: string, values: unknown[] = []): Promise<Row[]> {
		const until = Date.now() + this.settings.commandTimeoutMs;
		for (let left = TRIES - 1; ; left--) {
			try {
				return await this.onClient((client) => this.query(client, sql, values, this.settings.commandTimeoutMs));
			} catch (error) {
				if (!isRolledBack(error) || left === 0 || Date.now() > until) throw toLedgerError(error, doing);
				// Not at the same moment as the other one.
				await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * (TRIES - left)));
			}
		}
	}

	/**
	 * Run several statements as one transaction.
	 * @throws LedgerError
	 */
	async transaction(doing: string, work: (run: RunStatement) => Promise<void>): Promise<void> {
		try {
			await this.onClient(async (client) => {
				const limit = Math.max(this.settings.commandTimeoutMs, MIGRATION_MS);
				const run: RunStatement = (sql, values = []) => this.query(client, sql, values, limit);
				// Whatever the server's default: behind a lock we must see what its last holder did.
				await run('BEGIN ISOLATION LEVEL READ COMMITTED');
				try {
					await work(run);
					await run('COMMIT');
				} catch (error) {
					if (isServerAnswer(error)) await run('ROLLBACK');
					throw toLedgerError(error, doing);
				}
			});
		} catch (error) {
			throw toLedgerError(error, doing);
		}
	}

	/** Ends all connections; those at work end with their command. Commands after it throw CLOSED. */
	async close(): Promise<void> {
		this.closed = true;
		const pool = await this.pool?.catch(() => null);
		if (pool && !pool.ending) await pool.end();
	}

	private async onClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
		if (this.closed) throw new LedgerError('CLOSED', 'The connection to the PostgreSQL ledger was closed');
		const client = await this.connected();
		this.inUse += 1;
		let sound = false;
		try {
			const result = await work(client);
			sound = true;
			return result;
		} catch (error) {
			sound = isServerAnswer(error) || isServerAnswer((error as Error).cause);
			throw passedOn(error);
		} finally {
			this.inUse -= 1;
			// What may still be working on a command, or has lost its server, never serves again.
			client.release(!sound);
		}
	}

	private async connected(): Promise<PoolClient> {
		const { connectTimeoutMs, maxConnections } = this.settings;
		const pool = await (this.pool ??= this.openPool());
		const connecting = pool.connect();
		return within(connecting, connectTimeoutMs, () => {
			// It may come after all, and must go back then.
			connecting.then((client) => client.release(), () => undefined);
			return this.inUse >= maxConnections
				? new LedgerError('TIMEOUT', `All ${maxConnections} connections to PostgreSQL were at work for ${connectTimeoutMs} ms`, {
						advice: 'Raise Max Connections or the connect time-out in the credential, or look at the load of the server.',
					})
				: new LedgerError('TIMEOUT', `No connection to PostgreSQL could be made within ${connectTimeoutMs} ms`);
		});
	}

	private async query(client: PoolClient, text: string, values: unknown[], limitMs: number): Promise<Row[]> {
		// Without values pg speaks the simple protocol, which takes several statements at once: migrations.
		const query = values.length === 0 ? { text, types: RAW } : { text, values, types: RAW };
		const answer = client.query<Row>(query);
		const { rows } = await within(answer, limitMs, () => {
			answer.catch(() => undefined);
			return new LedgerError('TIMEOUT', `PostgreSQL gave no answer within ${limitMs} ms`);
		});
		return rows;
	}

	private async openPool(): Promise<Pool> {
		const { Pool } = await import('../../vendor/pg');
		const { host, port, database, user, password, tls, maxConnections, connectTimeoutMs } = this.settings;
		const pool = new Pool({
			host,
			port,
			database,
			user,
			// A function, so that an empty one isn't replaced by the environment's or a .pgpass file's.
			password: () => password,
			ssl: tls.enabled ? tlsOptions(tls, host) : false,
			application_name: 'n8n-nodes-idempotency',
			max: maxConnections,
			idleTimeoutMillis: IDLE_MS,
			// Our own time-out comes first and says more; this one then ends the attempt.
			connectionTimeoutMillis: connectTimeoutMs + 250,
			// Finds out about a server that vanished while a connection was idle.
			keepAlive: true,
			allowExitOnIdle: true,
		});
		// A connection lost while idle is replaced at the next command; unheard, it would end the process.
		pool.on('error', () => undefined);
		pool.on('connect', (client) => void client.on('error', () => undefined));
		return pool;
	}
}

/** Each type as text. */
const RAW = { getTypeParser: () => (text: string) => text } as never;

/** For a catch clause: what is thrown on is already ours, or turned into ours one level up. */
const passedOn = (error: unknown): unknown => error;

function tlsOptions(tls: TlsSettings, host: string) {
	const name = tls.serverName ?? host;
	return {
		rejectUnauthorized: tls.verify,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		...(tls.certificate === null ? {} : { cert: tls.certificate }),
		...(tls.key === null ? {} : { key: tls.key }),
		...(tls.passphrase === null ? {} : { passphrase: tls.passphrase }),
		// pg sets the name it connects to; a tunnel or a service name needs another one verified.
		checkServerIdentity: (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
			checkServerIdentity(name, certificate),
	};
}
