import { startPostgres } from '../test/support/servers/startPostgres';
import { startRedis } from '../test/support/servers/startRedis';
import { n8n } from './support/instance';
import { CREDENTIAL_TYPE, ledgerData, postgresAt, redisAt, type CredentialData } from './support/ledgers';

/** The Test button of the credential dialog. */
const test = async (data: CredentialData) => await n8n().testCredential({ name: 'Tested', type: CREDENTIAL_TYPE, data });

const SECRETS = /postgres-secret|redis-secret|wrong-secret/;

describe('the Test button', () => {
	it('Embedded: names SQLite and its version', async () => {
		const { status, message } = await test(ledgerData('embedded'));
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/SQLite 3\.\d+.*test claim was made and released/) });
	});

	it('PostgreSQL: names the version, and that it is the primary', async () => {
		const { status, message } = await test(ledgerData('postgres'));
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/PostgreSQL \d+.*primary.*test claim/i) });
		expect(message).not.toMatch(SECRETS);
	});

	it('Redis: names the version, the maxmemory-policy and the persistence', async () => {
		const { status, message } = await test(ledgerData('redis'));
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/Redis \d+\.\d+.*Primary.*noeviction.*Append-only file is on.*test claim/s) });
		expect(message).not.toMatch(SECRETS);
	});

	it.each([
		['PostgreSQL', { ...ledgerData('postgres'), postgresPassword: 'wrong-secret' }],
		['Redis', { ...ledgerData('redis'), redisPassword: 'wrong-secret' }],
	])('%s with a wrong password: says so, what to do, and no secret', async (_, data) => {
		const { status, message } = await test(data);
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/password/i) });
		expect(message).not.toMatch(SECRETS);
		expect(message).not.toMatch(/\bat .*\.js:\d+/);
	});

	it('a host where nothing listens: says which, and what to do', async () => {
		for (const data of [postgresAt('postgresql://ledger@127.0.0.1:1/ledger'), redisAt('redis://127.0.0.1:1')]) {
			const { status, message } = await test(data);
			expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/127\.0\.0\.1:1\b/) });
			expect(message).toMatch(/check/i);
		}
	});

	it('a PostgreSQL standby is refused', async () => {
		const primary = await startPostgres({ password: 'postgres-secret' });
		const standby = await startPostgres({ replicaOf: primary });
		try {
			const { status, message } = await test(postgresAt(standby.url));
			expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/standby|read-only/i) });
			expect(message).toMatch(/primary/i);
		} finally {
			await standby.dispose();
			await primary.dispose();
		}
	});

	it('a Redis replica is refused', async () => {
		const primary = await startRedis();
		const replica = await startRedis({ replicaOf: primary });
		try {
			const { status, message } = await test(redisAt(replica.url));
			expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/replica|read-only/i) });
		} finally {
			await replica.dispose();
			await primary.dispose();
		}
	});

	it('a Redis that evicts is refused, and one that a restart wipes as well', async () => {
		const evicting = await startRedis({ config: { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' } });
		try {
			const { status, message } = await test(redisAt(evicting.url));
			expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/allkeys-lru/) });
			expect(message).toMatch(/noeviction/);
		} finally {
			await evicting.dispose();
		}
		const forgetful = await startRedis();
		try {
			const { status, message } = await test(redisAt(forgetful.url));
			expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/Nothing is kept on disk.*Switch appendonly on/) });
		} finally {
			await forgetful.dispose();
		}
	});

	it('a file name that is a path is refused', async () => {
		const { status, message } = await test({ store: 'embedded', embeddedFileName: '../elsewhere.sqlite' });
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/File Name/) });
	});
});
