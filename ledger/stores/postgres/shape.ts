/**
 * The columns of the records table after all migrations, as format_type() names their types. A table
 * that lacks one of them isn't ours. A test compares this with what the migrations make.
 */
export const RECORD_COLUMNS = {
	key: 'text',
	operation: 'text',
	business_id: 'text',
	scope: 'text',
	version: 'text',
	revision: 'bigint',
	state: 'text',
	reason: 'text',
	token: 'text',
	attempt: 'bigint',
	max_attempts: 'bigint',
	policy: 'text',
	fingerprint: 'text',
	fingerprint_fields: 'text',
	lease_expires_at: 'timestamp(3) with time zone',
	retry_at: 'timestamp(3) with time zone',
	deadline_at: 'timestamp(3) with time zone',
	result: 'json',
	external_id: 'text',
	late_successes: 'jsonb',
	anomalies: 'jsonb',
	unknown_earlier: 'boolean',
	sealed_word: 'text',
	decided_by: 'jsonb',
	last_error: 'jsonb',
	correlation_id: 'text',
	owner: 'json',
	duplicates: 'bigint',
	conflicts: 'bigint',
	takeovers: 'bigint',
	stale_seals: 'bigint',
	created_at: 'timestamp(3) with time zone',
	updated_at: 'timestamp(3) with time zone',
	completed_at: 'timestamp(3) with time zone',
	expires_at: 'timestamp(3) with time zone',
	retention_seconds: 'bigint',
	ephemeral: 'boolean',
	history: 'json[]',
	claim_answer: 'text',
	answered_at: 'timestamp(3) with time zone',
} as const;

const MIGRATION_COLUMNS = { id: 'text', applied_at: 'timestamp with time zone' } as const;

type Shape = Record<string, string>;

const lacking = (expected: Shape, found: Shape): string[] =>
	Object.entries(expected)
		.filter(([column, type]) => found[column] !== type)
		.map(([column, type]) => `${column} ${type}`);

/** Columns that a table of records should have, and this one hasn't. */
export const lackingRecordColumns = (found: Shape): string[] => lacking(RECORD_COLUMNS, found);

/** Columns that a table of migrations should have, and this one hasn't. */
export const lackingMigrationColumns = (found: Shape): string[] => lacking(MIGRATION_COLUMNS, found);
