import type { Client } from 'pg';

import type { LedgerErrorCode } from '../../../ledger/core/errors';
import type { PostgresSettings } from '../../../ledger/core/settings';
import { PostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import { postgresClient, postgresSettings } from '../../support/subjects/postgres';

/** Settings, a plain client beside the ledger, and stores that are closed with it. */
export interface Ledger {
	settings: PostgresSettings;
	client: Client;
	/** A store of its own, perhaps with other settings on the same schema. */
	store(changes?: Partial<PostgresSettings>): PostgresStore;
	close(): Promise<void>;
}

/** A schema of its own, not created yet, on the running server or on the one of `url`. */
export async function ledgerAt(changes: Partial<PostgresSettings> = {}, url?: string): Promise<Ledger> {
	const settings = postgresSettings(changes, url);
	const client = await postgresClient(settings);
	const stores: PostgresStore[] = [];
	return {
		settings,
		client,
		store(more = {}) {
			const store = new PostgresStore({ ...settings, ...more });
			stores.push(store);
			return store;
		},
		async close() {
			await Promise.all(stores.map((store) => store.close()));
			await client.query(`DROP SCHEMA IF EXISTS "${settings.schema}" CASCADE`);
			await client.end();
		},
	};
}

/** A ledger in a database of its own, whose new sessions have these settings. */
export async function databaseWith(config: Record<string, string>): Promise<Ledger> {
	const server = await postgresClient(postgresSettings());
	const database = postgresSettings().schema;
	await server.query(`CREATE DATABASE "${database}"`);
	for (const [name, value] of Object.entries(config)) await server.query(`ALTER DATABASE "${database}" SET ${name} = '${value}'`);
	const ledger = await ledgerAt({ database });
	return {
		...ledger,
		close: async () => {
			await ledger.client.query('SET default_transaction_read_only = off');
			await ledger.close();
			await server.query(`DROP DATABASE "${database}"`);
			await server.end();
		},
	};
}

/** The promise has to reject with that code; gives the error for more questions. */
export async function rejection(promise: Promise<unknown>, code: LedgerErrorCode): Promise<Error & { advice: string; cause?: unknown }> {
	const outcome = await promise.then(
		(value) => ({ resolved: value }),
		(error: unknown) => error,
	);
	expect(outcome).toMatchObject({ name: 'LedgerError', code });
	return outcome as Error & { advice: string };
}
