import { LedgerError } from '../../core/errors';
import type { PostgresSettings } from '../../core/settings';

/** Letters, digits and underscores: nothing that could end a quoted identifier. */
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/i;
/** PostgreSQL cuts names after 63 bytes; `records_by_correlation_id` is our longest. */
const LONGEST_PREFIX = 63 - 'records_by_correlation_id'.length;

export interface Names {
	schema: string;
	records: string;
	migrations: string;
	/** Put the quoted names into the placeholders of an .sql file. */
	fill(sql: string): string;
}

/**
 * The names of the ledger's tables. Names can't be parameters of a statement, so they are written into
 * it; this is the one place that lets them in.
 * @throws LedgerError INVALID_SETTINGS
 */
export function namesOf({ schema, tablePrefix }: PostgresSettings): Names {
	if (!IDENTIFIER.test(schema) || /^pg_/i.test(schema)) {
		throw new LedgerError('INVALID_SETTINGS', 'The schema may have letters, digits and underscores only, not begin with a digit or pg_, and have at most 63 characters');
	}
	if (tablePrefix !== '' && (!IDENTIFIER.test(tablePrefix) || tablePrefix.length > LONGEST_PREFIX)) {
		throw new LedgerError('INVALID_SETTINGS', `The table prefix may have letters, digits and underscores only, not begin with a digit, and have at most ${LONGEST_PREFIX} characters`);
	}
	const placeholders: Record<string, string> = {
		schema: `"${schema}"`,
		prefix: tablePrefix,
		records: `"${schema}"."${tablePrefix}records"`,
		migrations: `"${schema}"."${tablePrefix}migrations"`,
	};
	return {
		schema,
		records: `${tablePrefix}records`,
		migrations: `${tablePrefix}migrations`,
		fill: (sql) => sql.replace(/\{\{(schema|prefix|records|migrations)\}\}/g, (_all, name: string) => placeholders[name]),
	};
}
