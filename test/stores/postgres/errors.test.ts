import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

import { toLedgerError } from '../../../ledger/stores/postgres/driverErrors';
import { PostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import { freePort } from '../../support/servers/freePort';
import { startPostgres } from '../../support/servers/startPostgres';
import type { PostgresServer } from '../../support/servers/startPostgres';
import { postgresSettings } from '../../support/subjects/postgres';
import { aClaim, aSeal } from './commands';
import { databaseWith, ledgerAt, rejection } from './ledgerAt';

const TLS = { enabled: true, verify: true, ca: null, certificate: null, key: null, passphrase: null, serverName: null };
const claim = [aClaim('op:1')];

/** Send a claim through a store of these settings and close it again. */
async function claimWith(changes: Parameters<typeof postgresSettings>[0], url?: string) {
	const store = new PostgresStore(postgresSettings(changes, url));
	try {
		return await store.claim(claim);
	} finally {
		await store.close();
	}
}

describe('what cannot be reached', () => {
	test('nobody listens', async () => {
		const error = await rejection(claimWith({ port: await freePort() }), 'UNREACHABLE');
		expect(error.message).toContain('ECONNREFUSED');
	});

	test('no such host', () => rejection(claimWith({ host: 'nowhere.invalid' }), 'UNREACHABLE'));

	test('no such database', async () => {
		const error = await rejection(claimWith({ database: 'nowhere' }), 'DATABASE_MISSING');
		expect(error.message).toContain('"nowhere"');
	});

	test('a server without TLS, when TLS is asked for', () => rejection(claimWith({ tls: TLS }), 'TLS_FAILED'));

	describe('a peer that accepts and', () => {
		let server: Server;
		const sockets: Socket[] = [];
		let onConnection: (socket: Socket) => void;
		beforeAll(async () => {
			server = createServer((socket) => {
				sockets.push(socket.on('error', () => undefined));
				onConnection(socket);
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		});
		afterAll(async () => {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((resolve) => server.close(resolve));
		});
		const peer = () => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });

		test('says nothing: TIMEOUT in time', async () => {
			onConnection = () => undefined;
			const began = Date.now();
			await rejection(claimWith({ ...peer(), connectTimeoutMs: 300 }), 'TIMEOUT');
			expect(Date.now() - began).toBeLessThan(1500);
		});

		test('hangs up: UNREACHABLE', async () => {
			onConnection = (socket) => socket.destroy();
			await rejection(claimWith(peer()), 'UNREACHABLE');
		});

		test('speaks something else: an error, not a crash', async () => {
			onConnection = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
			const store = new PostgresStore(postgresSettings({ ...peer(), connectTimeoutMs: 500 }));
			await expect(store.claim(claim)).rejects.toMatchObject({ name: 'LedgerError' });
			await store.close();
		});
	});

	test('a store recovers by itself when its server comes back', async () => {
		// Durable: it is about to crash.
		const server = await startPostgres({ durable: true });
		const store = new PostgresStore(postgresSettings({}, server.url));
		try {
			expect((await store.claim(claim))[0].outcome).toBe('claimed');
			await server.stop('immediate');
			await rejection(store.claim([aClaim('op:2')]), 'UNREACHABLE');
			await server.start();
			expect((await store.claim([aClaim('op:1', { token: 'x' })]))[0].outcome).toBe('in_progress');
		} finally {
			await store.close();
			await server.dispose();
		}
	});
});

test('an answered claim survives a crash, also on a server with synchronous_commit off', async () => {
	// The writer would flush such commits after ten seconds.
	const server = await startPostgres({ durable: true, config: { synchronous_commit: 'off', wal_writer_delay: '10s' } });
	const store = new PostgresStore(postgresSettings({}, server.url));
	try {
		await store.claim([aClaim('op:0')]);
		await store.claim([aClaim('op:1')]);
		await server.kill();
		await server.start();
		const { records } = await store.get(['op:1']).catch(async () => await store.get(['op:1']));
		expect(records[0]?.state).toBe('processing');
	} finally {
		await store.close();
		await server.dispose();
	}
});

describe('on a server that asks for a password', () => {
	const password = 'correct-horse-battery';
	let server: PostgresServer;
	beforeAll(async () => void (server = await startPostgres({ password })));
	afterAll(() => server.dispose());

	test('the right one works', async () => {
		expect((await claimWith({}, server.url))[0].outcome).toBe('claimed');
	});

	test.each(['wrong-staple', ''])('a wrong one (%p) is AUTHENTICATION_FAILED and stays out of the text', async (wrong) => {
		const error = await rejection(claimWith({ password: wrong }, server.url), 'AUTHENTICATION_FAILED');
		expect(JSON.stringify([error.message, error.advice])).not.toContain('staple');
	});

	test('an empty one is not replaced by the environment\'s', async () => {
		process.env.PGPASSWORD = password;
		try {
			await rejection(claimWith({ password: '' }, server.url), 'AUTHENTICATION_FAILED');
		} finally {
			delete process.env.PGPASSWORD;
		}
	});

	describe('and its standby', () => {
		let standby: PostgresServer;
		const settings = () => postgresSettings({ schema: 'on_standby' }, standby.url);
		beforeAll(async () => {
			await claimWith({ schema: 'on_standby' }, server.url);
			standby = await startPostgres({ replicaOf: server });
		}, 60_000);
		afterAll(() => standby.dispose());

		test('refuses every command, a read as well', async () => {
			const store = new PostgresStore(settings());
			const error = await rejection(store.claim(claim), 'READ_ONLY');
			expect(error.message).toContain('standby');
			await rejection(store.get(['op:1']), 'READ_ONLY');
			await store.close();
		});

		test('is a problem for the connection test', async () => {
			const store = new PostgresStore(settings());
			const { findings } = await store.inspect();
			expect(findings).toContainEqual({ level: 'problem', text: expect.stringContaining('standby') });
			await store.close();
		});
	});
});

describe('what the server refuses', () => {
	test('a database set to read-only is no ledger', async () => {
		const own = await databaseWith({ default_transaction_read_only: 'on' });
		try {
			const error = await rejection(own.store().claim(claim), 'READ_ONLY');
			expect(error.advice).toContain('default_transaction_read_only');
		} finally {
			await own.close();
		}
	});

	test('a server that turns read-only while a store runs', async () => {
		const own = await databaseWith({});
		try {
			const store = own.store({ maxConnections: 1 });
			await store.claim(claim);
			await own.client.query(`ALTER DATABASE "${own.settings.database}" SET default_transaction_read_only = on`);
			await own.client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
			await new Promise((resolve) => setTimeout(resolve, 100));
			await rejection(store.claim([aClaim('op:2')]), 'READ_ONLY');
		} finally {
			await own.close();
		}
	});

	test('a number that no column holds', async () => {
		const ledger = await ledgerAt();
		try {
			await rejection(ledger.store().claim([aClaim('op:1', { maxAttempts: 1e30 })]), 'INVALID_PARAMETER');
			await rejection(ledger.store().claim([aClaim('op:1', { maxAttempts: Number.NaN })]), 'INVALID_PARAMETER');
		} finally {
			await ledger.close();
		}
	});

	test('absurd durations are cut, so that no seal fails after the effect', async () => {
		const ledger = await ledgerAt();
		try {
			const store = ledger.store();
			const endless = { leaseMs: Number.MAX_SAFE_INTEGER, retentionSeconds: Number.MAX_SAFE_INTEGER };
			const [{ record }] = await store.claim([aClaim('op:1', endless)]);
			expect(record!.leaseExpiresAt).toBeGreaterThan(Date.now() + 1e13);
			const [{ record: sealed }] = await store.seal([aSeal('op:1')]);
			expect(sealed!.expiresAt).toBeGreaterThan(Date.now() + 1e13);
			await store.claim([aClaim('op:2')]);
			const [retryable] = await store.seal([aSeal('op:2', { word: 'retryable', retryDelayMs: Number.MAX_VALUE, deadlineSeconds: Infinity })]);
			expect(retryable.outcome).toBe('sealed');
		} finally {
			await ledger.close();
		}
	});

	test('texts of any length and any characters are kept, never refused', async () => {
		const ledger = await ledgerAt();
		try {
			const store = ledger.store();
			const long = '\0ä\ud800'.repeat(20_000);
			await store.claim([aClaim('op:1', { correlationId: long, businessId: long })]);
			const [answer] = await store.seal([aSeal('op:1', { externalId: long, result: { [long]: long } })]);
			expect(answer).toMatchObject({ outcome: 'sealed', record: { externalId: long, correlationId: long, businessId: long, result: { [long]: long } } });
			expect((await store.list({ externalId: long, limit: 5 })).records).toHaveLength(1);
			expect((await store.list({ correlationId: long, limit: 5 })).records).toHaveLength(1);
			expect((await store.list({ externalId: `${long}x`, limit: 5 })).records).toHaveLength(0);
		} finally {
			await ledger.close();
		}
	});
});

describe('settings that cannot work are refused before any connection', () => {
	test.each([
		{ host: ' ' },
		{ database: '' },
		{ user: '' },
		{ port: 0 },
		{ port: 1.5 },
		{ port: 70_000 },
		{ maxConnections: 0 },
		{ connectTimeoutMs: 0 },
		{ commandTimeoutMs: Number.NaN },
	])('%p', (changes) => {
		expect(() => new PostgresStore(postgresSettings(changes))).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }));
	});
});

describe('the table of codes', () => {
	test.each([
		['53300', 'TOO_MANY_CONNECTIONS'],
		['53100', 'OUT_OF_SPACE'],
		['57P03', 'UNREACHABLE'],
		['57014', 'TIMEOUT'],
		['40001', 'BUSY'],
		['40P01', 'BUSY'],
		['28000', 'AUTHENTICATION_FAILED'],
		['08P01', 'UNREACHABLE'],
		['42P10', 'FOREIGN_TABLE'],
		['ECONNRESET', 'UNREACHABLE'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_FAILED'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_FAILED'],
		['XX000', 'UNEXPECTED'],
		['constructor', 'UNEXPECTED'],
	])('%s is %s', (code, expected) => {
		expect(toLedgerError(Object.assign(new Error('it happened'), { code }), 'claiming')).toMatchObject({ code: expected, message: expect.stringContaining('it happened') });
	});

	test('both addresses of a name refused: the text says so', () => {
		const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')]);
		const error = toLedgerError(Object.assign(refused, { code: 'ECONNREFUSED' }), 'claiming');
		expect(error.message).toContain('::1:5432; connect ECONNREFUSED 127.0.0.1:5432');
	});
});
