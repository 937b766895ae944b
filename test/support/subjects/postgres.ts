import { Client, Pool } from 'pg';

import type { LedgerRecord } from '../../../ledger/core/record';
import type { PostgresSettings } from '../../../ledger/core/settings';
import { PostgresStore } from '../../../ledger/stores/postgres/PostgresStore';
import { mapKept } from '../../../ledger/stores/postgres/rows';
import { RECORD_COLUMNS } from '../../../ledger/stores/postgres/shape';
import { mapStrings, toStorable } from '../../../ledger/stores/postgres/text';
import type { Subject } from '../subject';

let count = 0;

/** Settings for a ledger of its own on the running server, or on the one of `url`. */
export function postgresSettings(changes: Partial<PostgresSettings> = {}, url?: string): PostgresSettings {
	const server = new URL(url ?? process.env.LEDGER_TEST_POSTGRES_URL!);
	return {
		kind: 'postgres',
		host: server.hostname,
		port: Number(server.port || 5432),
		database: decodeURIComponent(server.pathname.slice(1)),
		user: decodeURIComponent(server.username),
		password: decodeURIComponent(server.password),
		schema: `ledger_${process.pid}_${(count += 1)}`,
		tablePrefix: 'idempotency_',
		tls: { enabled: false, verify: true, ca: null, certificate: null, key: null, passphrase: null, serverName: null },
		maxConnections: 5,
		connectTimeoutMs: 10_000,
		commandTimeoutMs: 10_000,
		createTables: true,
		...changes,
	};
}

/** A plain client of the same database, for what a test does beside the ledger. */
export async function postgresClient({ host, port, database, user, password }: PostgresSettings): Promise<Client> {
	const client = new Client({ host, port, database, user, password });
	await client.connect();
	return client;
}

/** The qualified name of the table of records. */
export const recordsTable = ({ schema, tablePrefix }: PostgresSettings) => `"${schema}"."${tablePrefix}records"`;

export const postgres: Subject = {
	name: 'postgres',
	async open() {
		const settings = postgresSettings();
		const store = new PostgresStore(settings);
		const stores = [store];
		// A pool: suites put many records at once.
		const { host, port, database, user, password } = settings;
		const client = new Pool({ host, port, database, user, password, max: 2 });
		await store.get([]);
		return {
			store,
			another: async () => {
				const other = new PostgresStore(settings);
				stores.push(other);
				return other;
			},
			put: (record) => putRecord(client, settings, record),
			close: async () => {
				await Promise.all(stores.map((one) => one.close()));
				await client.query(`DROP SCHEMA "${settings.schema}" CASCADE`);
				await client.end();
			},
		};
	},
};

/** Write a record exactly as given, around all rules. */
async function putRecord(client: Pool, settings: PostgresSettings, record: LedgerRecord): Promise<void> {
	const row = rowOf(record);
	const columns = Object.keys(row);
	const values = columns.map((name, index) => `$${index + 1}::${RECORD_COLUMNS[name as keyof typeof RECORD_COLUMNS]}`);
	await client.query(
		`INSERT INTO ${recordsTable(settings)} (${columns.join(', ')}) VALUES (${values.join(', ')})
		ON CONFLICT (key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
		Object.values(row),
	);
}

function rowOf(record: LedgerRecord): Record<string, unknown> {
	const { result, history, counters } = record;
	const texts = mapStrings({ ...record, result: null, history: [] }, toStorable);
	return {
		key: texts.key,
		operation: texts.operation,
		business_id: texts.businessId,
		scope: texts.scope,
		version: texts.version,
		revision: record.revision,
		state: record.state,
		reason: record.reason,
		token: texts.token,
		attempt: record.attempt,
		max_attempts: record.maxAttempts,
		policy: record.policy,
		fingerprint: texts.fingerprint,
		fingerprint_fields: texts.fingerprintFields,
		lease_expires_at: date(record.leaseExpiresAt),
		retry_at: date(record.retryAt),
		deadline_at: date(record.deadlineAt),
		result: json(result),
		external_id: texts.externalId,
		late_successes: json(texts.lateSuccesses),
		anomalies: json(texts.anomalies),
		unknown_earlier: record.unknownEarlier,
		sealed_word: record.sealedWord,
		decided_by: json(texts.decidedBy),
		last_error: json(texts.lastError),
		correlation_id: texts.correlationId,
		owner: json(texts.owner),
		duplicates: counters.duplicates,
		conflicts: counters.conflicts,
		takeovers: counters.takeovers,
		stale_seals: counters.staleSeals,
		created_at: date(record.createdAt),
		updated_at: date(record.updatedAt),
		completed_at: date(record.completedAt),
		expires_at: date(record.expiresAt),
		retention_seconds: record.retentionSeconds,
		ephemeral: record.ephemeral,
		history: history.map(({ kept, ...entry }) => JSON.stringify({ ...mapStrings(entry, toStorable), kept: mapKept(kept, toStorable) })),
	};
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
const date = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
