import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { IdempotencyLedgerApi } from '../../../credentials/IdempotencyLedgerApi.credentials';
import { isLedgerError } from '../../../ledger/core/errors';
import { settingsFromCredential } from '../../../nodes/shared/settings';

const environment = { HOME: '/home/node' };
const settings = (data: ICredentialDataDecryptedObject, env: NodeJS.ProcessEnv = environment) =>
	settingsFromCredential(data, env).settings;

function refusal(data: ICredentialDataDecryptedObject): string {
	try {
		settings(data);
	} catch (error) {
		if (isLedgerError(error)) return `${error.code}: ${error.message}`;
	}
	return 'accepted';
}

describe('settings from the credential', () => {
	it('the form’s defaults make settings for each store', () => {
		const defaults = Object.fromEntries(new IdempotencyLedgerApi().properties.map(({ name, default: value }) => [name, value]));
		expect(settings(defaults as ICredentialDataDecryptedObject)).toEqual({
			kind: 'sqlite',
			folder: join('/home/node', '.n8n'),
			fileName: 'idempotency-ledger.sqlite',
			queueMode: false,
			shared: false,
			connectTimeoutMs: 5000,
			commandTimeoutMs: 10000,
		});
		expect(settings({ ...defaults, store: 'postgres' } as ICredentialDataDecryptedObject)).toMatchObject({
			kind: 'postgres',
			host: 'localhost',
			port: 5432,
			schema: 'public',
			tablePrefix: 'idempotency_',
			createTables: true,
			maxConnections: 5,
			tls: { enabled: false, verify: true },
		});
		expect(settings({ ...defaults, store: 'redis' } as ICredentialDataDecryptedObject)).toMatchObject({
			kind: 'redis',
			mode: 'standalone',
			nodes: [{ host: 'localhost', port: 6379 }],
			waitForReplicas: 0,
		});
	});

	it('nothing at all is the embedded store, in n8n’s own folder', () => {
		expect(settings({})).toMatchObject({ kind: 'sqlite', folder: join('/home/node', '.n8n') });
		expect(settings({}, { N8N_USER_FOLDER: '/data', HOME: '/home/node' })).toMatchObject({ folder: join('/data', '.n8n') });
	});

	it('queue mode is seen, so that the embedded store can refuse it', () => {
		expect(settings({}, { ...environment, EXECUTIONS_MODE: 'queue' })).toMatchObject({ queueMode: true, shared: false });
	});

	it('what belongs to another store is ignored', () => {
		expect(settings({ store: 'embedded', postgresPort: 'nonsense' })).toMatchObject({ kind: 'sqlite' });
	});

	it.each([
		[{ store: 'memory' }, 'Store'],
		[{ embeddedFileName: '../ledger' }, 'File Name'],
		[{ embeddedFileName: '..' }, 'File Name'],
		[{ embeddedFileName: 'a\\b' }, 'File Name'],
		[{ embeddedFileName: '  ' }, 'File Name'],
		[{ embeddedShared: 'perhaps' }, 'All Processes Share This File'],
		[{ store: 'postgres', postgresHost: '' }, 'Host'],
		[{ store: 'postgres', postgresPort: 0 }, 'Port'],
		[{ store: 'postgres', postgresPort: 5432.5 }, 'Port'],
		[{ store: 'postgres', postgresPort: NaN }, 'Port'],
		[{ store: 'postgres', postgresMaxConnections: -1 }, 'Max Connections'],
		[{ store: 'postgres', postgresUser: ' ' }, 'User'],
		[{ store: 'redis', redisMode: 'ring' }, 'Mode'],
		[{ store: 'redis', redisMode: 'sentinel' }, 'Sentinels'],
		[{ store: 'redis', redisMode: 'cluster', redisClusterNodes: 'a:b:c' }, 'Start Nodes'],
		[{ store: 'redis', redisMode: 'cluster', redisClusterNodes: 'a:99999' }, 'Start Nodes'],
		[{ store: 'redis', redisKeyPrefix: '' }, 'Key Prefix'],
		[{ store: 'redis', redisWaitForReplicas: 11 }, 'Wait For Replicas'],
		[{ commandTimeoutSeconds: 0 }, 'Command Timeout'],
		[{ connectTimeoutSeconds: 1e9 }, 'Connect Timeout'],
		[{ hashSecret: {} }, 'Hash Secret'],
		[{ store: 'postgres', postgresTls: true, postgresCaCertificate: 'hello' }, 'CA Certificate'],
	])('%j is refused by the name of its field', (data, label) => {
		expect(refusal(data as ICredentialDataDecryptedObject)).toMatch(new RegExp(`^INVALID_SETTINGS: ${label} in the Idempotency Ledger credential `));
	});

	it('a client certificate without its key, or the other way round, is refused', () => {
		const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
		expect(refusal({ store: 'redis', redisTls: true, redisClientCertificate: pem })).toContain('Client Private Key');
		expect(refusal({ store: 'redis', redisTls: true, redisClientPrivateKey: pem })).toContain('Client Certificate');
	});

	it('a refused secret isn’t in the text', () => {
		expect(refusal({ store: 'postgres', postgresTls: true, postgresClientPrivateKey: 'hunter2hunter2' })).not.toContain('hunter2');
	});

	it('lists of hosts take ports, IPv6 and any separator', () => {
		expect(settings({ store: 'redis', redisMode: 'sentinel', redisSentinels: 's1, s2:1234;[::1]:7 s3' })).toMatchObject({
			nodes: [
				{ host: 's1', port: 26379 },
				{ host: 's2', port: 1234 },
				{ host: '::1', port: 7 },
				{ host: 's3', port: 26379 },
			],
			sentinelName: 'mymaster',
		});
	});

	it('a PEM text that lost its line breaks in a one-line field gets them back', () => {
		const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		const lost = [pem.replace(/\n/g, ' '), pem.replace(/\n/g, ''), pem.replace(/\n/g, '\\n'), pem.replace(/\n/g, '\r\n')];
		for (const text of [pem, ...lost]) {
			const given = { store: 'postgres', postgresTls: true, postgresClientCertificate: text, postgresClientPrivateKey: text };
			expect(settings(given)).toMatchObject({ tls: { key: pem, certificate: pem } });
		}
	});

	it('an encrypted key keeps the header it can’t be read without', () => {
		const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
		const pem = privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
		const given = { store: 'redis', redisTls: true, redisClientCertificate: pem, redisClientPrivateKey: pem.replace(/\n/g, ' ') };
		expect(settings(given)).toMatchObject({ tls: { key: pem } });
	});
});

describe('the credential’s form', () => {
	const { properties } = new IdempotencyLedgerApi();
	const shownFor = (store: string) =>
		properties.filter(({ displayOptions }) => displayOptions?.show?.store?.includes(store) ?? true).map(({ name }) => name);

	it('shows only the fields of the chosen store', () => {
		expect(shownFor('embedded').some((name) => /postgres|redis/.test(name))).toBe(false);
		expect(shownFor('postgres').some((name) => /embedded|redis/.test(name))).toBe(false);
		expect(shownFor('redis').some((name) => /embedded|postgres/.test(name))).toBe(false);
	});

	it('hides every secret', () => {
		const secrets = /password|secret|certificate|privateKey|passphrase/i;
		const open = properties.filter(({ name, typeOptions }: INodeProperties) => secrets.test(name) && !typeOptions?.password);
		expect(open.map(({ name }) => name)).toEqual([]);
	});
});
