import { startPostgres, type PostgresServer } from '../servers/startPostgres';
import { startRedis, type RedisServer } from '../servers/startRedis';

declare global {
	/** What this run started itself, for stopServers.ts. */
	var ledgerTestServers: Array<PostgresServer | RedisServer> | undefined;
}

/** Jest's globalSetup: one PostgreSQL and one Redis for all suites, unless others were given. */
export default async function startServers(): Promise<void> {
	globalThis.ledgerTestServers = [];
	if (!process.env.LEDGER_TEST_POSTGRES_URL) {
		const server = await startPostgres();
		globalThis.ledgerTestServers.push(server);
		process.env.LEDGER_TEST_POSTGRES_URL = server.url;
	}
	if (!process.env.LEDGER_TEST_REDIS_URL) {
		// Persistence on, so that the connection test finds a server as it should be.
		const server = await startRedis({ config: { appendonly: 'yes', appendfsync: 'no' } });
		globalThis.ledgerTestServers.push(server);
		process.env.LEDGER_TEST_REDIS_URL = server.url;
	}
}
