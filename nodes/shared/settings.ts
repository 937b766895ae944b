import { resolve } from 'node:path';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type {
	PostgresSettings,
	RedisSettings,
	SqliteSettings,
	StoreSettings,
	TlsSettings,
} from '../../ledger/core/settings';
import {
	flagField,
	invalidField,
	nodesField,
	numberField,
	pemField,
	requiredField,
	secretField,
	textField,
} from './settingsFields';

/** What the credential says, checked. */
export interface LedgerCredential {
	settings: StoreSettings;
	/** for Hash Business ID; null when the credential has none */
	hashSecret: string | null;
}

/**
 * Make store settings of the decrypted credential.
 * @param environment n8n's own: N8N_USER_FOLDER says where the embedded file lives, EXECUTIONS_MODE whether workers run
 * @throws LedgerError INVALID_SETTINGS, which names the field
 */
export function settingsFromCredential(
	data: ICredentialDataDecryptedObject,
	environment: NodeJS.ProcessEnv = process.env,
): LedgerCredential {
	const hashSecret = secretField(data, 'hashSecret', 'Hash Secret');
	return { settings: storeSettings(data, environment), hashSecret: hashSecret === '' ? null : hashSecret };
}

function storeSettings(data: ICredentialDataDecryptedObject, environment: NodeJS.ProcessEnv): StoreSettings {
	switch (data.store ?? 'embedded') {
		case 'embedded':
			return embeddedSettings(data, environment);
		case 'postgres':
			return postgresSettings(data);
		case 'redis':
			return redisSettings(data);
		default:
			throw invalidField('Store', 'must be Embedded, PostgreSQL or Redis');
	}
}

function embeddedSettings(data: ICredentialDataDecryptedObject, environment: NodeJS.ProcessEnv): SqliteSettings {
	const fileName = requiredField(data, 'embeddedFileName', 'File Name', 'idempotency-ledger.sqlite');
	if (/[/\\]/.test(fileName) || /^\.+$/.test(fileName) || hasControlCharacter(fileName)) {
		throw invalidField('File Name', 'must be a file name without a path');
	}
	return {
		kind: 'sqlite',
		folder: userFolder(environment),
		fileName,
		queueMode: environment.EXECUTIONS_MODE === 'queue',
		shared: flagField(data, 'embeddedShared', 'All Processes Share This File', false),
		...timeOuts(data),
	};
}

function postgresSettings(data: ICredentialDataDecryptedObject): PostgresSettings {
	return {
		kind: 'postgres',
		host: requiredField(data, 'postgresHost', 'Host', 'localhost'),
		port: numberField(data, 'postgresPort', 'Port', { fallback: 5432, min: 1, max: 65535 }),
		database: requiredField(data, 'postgresDatabase', 'Database', 'postgres'),
		user: requiredField(data, 'postgresUser', 'User', 'postgres'),
		password: secretField(data, 'postgresPassword', 'Password'),
		schema: requiredField(data, 'postgresSchema', 'Schema', 'public'),
		tablePrefix: textField(data, 'postgresTablePrefix', 'Table Prefix', 'idempotency_'),
		tls: tlsSettings(data, 'postgres'),
		maxConnections: numberField(data, 'postgresMaxConnections', 'Max Connections', { fallback: 5, min: 1, max: 100 }),
		createTables: flagField(data, 'postgresCreateTables', 'Create Tables', true),
		...timeOuts(data),
	};
}

function redisSettings(data: ICredentialDataDecryptedObject): RedisSettings {
	const mode = data.redisMode ?? 'standalone';
	if (mode !== 'standalone' && mode !== 'sentinel' && mode !== 'cluster') {
		throw invalidField('Mode', 'must be Standalone, Sentinel or Cluster');
	}
	const sentinel = mode === 'sentinel';
	return {
		kind: 'redis',
		mode,
		nodes: redisNodes(data, mode),
		sentinelName: sentinel ? requiredField(data, 'redisSentinelName', 'Master Name', 'mymaster') : '',
		sentinelUser: sentinel ? textField(data, 'redisSentinelUser', 'Sentinel User') : '',
		sentinelPassword: sentinel ? secretField(data, 'redisSentinelPassword', 'Sentinel Password') : '',
		user: textField(data, 'redisUser', 'User'),
		password: secretField(data, 'redisPassword', 'Password'),
		database:
			mode === 'cluster' ? 0 : numberField(data, 'redisDatabase', 'Database Number', { fallback: 0, min: 0, max: 16383 }),
		keyPrefix: requiredField(data, 'redisKeyPrefix', 'Key Prefix', 'idempotency'),
		tls: tlsSettings(data, 'redis'),
		waitForReplicas: numberField(data, 'redisWaitForReplicas', 'Wait For Replicas', { fallback: 0, min: 0, max: 10 }),
		...timeOuts(data),
	};
}

function redisNodes(data: ICredentialDataDecryptedObject, mode: RedisSettings['mode']): RedisSettings['nodes'] {
	if (mode === 'sentinel') return nodesField(data, 'redisSentinels', 'Sentinels', 26379);
	if (mode === 'cluster') return nodesField(data, 'redisClusterNodes', 'Start Nodes', 6379);
	const host = requiredField(data, 'redisHost', 'Host', 'localhost');
	return [{ host, port: numberField(data, 'redisPort', 'Port', { fallback: 6379, min: 1, max: 65535 }) }];
}

function tlsSettings(data: ICredentialDataDecryptedObject, store: 'postgres' | 'redis'): TlsSettings {
	if (!flagField(data, `${store}Tls`, 'TLS', false)) {
		return { enabled: false, verify: true, ca: null, certificate: null, key: null, passphrase: null, serverName: null };
	}
	const certificate = pemField(data, `${store}ClientCertificate`, 'Client Certificate');
	const key = pemField(data, `${store}ClientPrivateKey`, 'Client Private Key');
	if (certificate !== null && key === null) throw invalidField('Client Private Key', 'is empty, but there is a Client Certificate');
	if (key !== null && certificate === null) throw invalidField('Client Certificate', 'is empty, but there is a Client Private Key');
	return {
		enabled: true,
		verify: !flagField(data, `${store}DisableTlsVerification`, 'Disable TLS Verification', false),
		ca: pemField(data, `${store}CaCertificate`, 'CA Certificate'),
		certificate,
		key,
		passphrase: secretField(data, `${store}PrivateKeyPassphrase`, 'Private Key Passphrase') || null,
		serverName: textField(data, `${store}TlsServerName`, 'Server Name') || null,
	};
}

function timeOuts(data: ICredentialDataDecryptedObject) {
	const bounds = { min: 1, max: 300 };
	return {
		connectTimeoutMs:
			numberField(data, 'connectTimeoutSeconds', 'Connect Timeout', { fallback: 5, ...bounds }) * 1000,
		commandTimeoutMs:
			numberField(data, 'commandTimeoutSeconds', 'Command Timeout', { fallback: 10, ...bounds }) * 1000,
	};
}

/** n8n's own rule (its getN8nFolder), so that the ledger lies where n8n keeps its other files. */
function userFolder(environment: NodeJS.ProcessEnv): string {
	const home = process.platform === 'win32' ? environment.USERPROFILE : environment.HOME;
	return resolve(environment.N8N_USER_FOLDER ?? home ?? process.cwd(), '.n8n');
}

function hasControlCharacter(text: string): boolean {
	return [...text].some((character) => character.codePointAt(0)! < 32);
}
