import { n8n } from './instance';

export const CREDENTIAL_TYPE = 'idempotencyLedgerApi';
export type StoreName = 'embedded' | 'postgres' | 'redis';
export const STORES: StoreName[] = ['embedded', 'postgres', 'redis'];

export type CredentialData = Record<string, string | number | boolean>;
export interface CredentialReference {
	id: string;
	name: string;
}

/** Credential data of a PostgreSQL ledger at a postgresql:// address. */
export function postgresAt(address: string): CredentialData {
	const { hostname, port, username, password, pathname } = new URL(address);
	return {
		store: 'postgres',
		postgresHost: hostname,
		postgresPort: Number(port),
		postgresDatabase: pathname.slice(1),
		postgresUser: username,
		postgresPassword: decodeURIComponent(password),
	};
}

/** Credential data of a Redis ledger at a redis:// address. */
export function redisAt(address: string): CredentialData {
	const { hostname, port, password } = new URL(address);
	return { store: 'redis', redisHost: hostname, redisPort: Number(port), redisPassword: decodeURIComponent(password) };
}

/** Credential data of this run's ledger of each kind. */
export function ledgerData(store: StoreName): CredentialData {
	if (store === 'postgres') return postgresAt(process.env.LEDGER_TEST_POSTGRES_URL ?? '');
	if (store === 'redis') return redisAt(process.env.LEDGER_TEST_REDIS_URL ?? '');
	return { store: 'embedded' };
}

/** A stored credential, as a node refers to it. */
export async function createLedger(name: string, data: CredentialData): Promise<CredentialReference> {
	const { id } = await n8n().createCredential({ name, type: CREDENTIAL_TYPE, data });
	return { id, name };
}
