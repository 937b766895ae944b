import { LedgerError } from '../../core/errors';
import { feedOf } from '../../core/feed';
import type { LedgerRecord } from '../../core/record';
import { FINAL_STATES, LEDGER_STATES } from '../../core/states';

/** Values for put-record.sql. The columns are copies for searching; only `record` is ever read back. */
export function rowOf(record: LedgerRecord) {
	const feed = feedOf(record);
	const expires = record.ephemeral || FINAL_STATES.includes(record.state);
	return {
		key: asText(record.key),
		operation: asText(record.operation),
		scope: asTextOrNull(record.scope),
		state: record.state,
		externalId: asTextOrNull(record.externalId),
		correlationId: asTextOrNull(record.correlationId),
		revision: record.revision,
		createdAt: record.createdAt,
		updatedAt: record.updatedAt,
		leaseExpiresAt: record.leaseExpiresAt,
		expiresAt: expires ? record.expiresAt : null,
		duplicates: record.counters.duplicates,
		conflicts: record.counters.conflicts,
		takeovers: record.counters.takeovers,
		staleSeals: record.counters.staleSeals,
		feed: feed?.feed ?? null,
		feedAt: feed?.at ?? null,
		// JSON escapes NUL and lone surrogates, the two things SQLite's text would lose.
		record: JSON.stringify(record),
	};
}

/** @throws LedgerError UNREADABLE_RECORD for what rowOf can't have written */
export function recordOf(row: { record?: unknown }): LedgerRecord {
	let record: LedgerRecord | null = null;
	try {
		record = JSON.parse(String(row.record));
	} catch {
		// falls through: text that isn't JSON is as unreadable as JSON of another shape
	}
	const readable =
		typeof record === 'object' &&
		record !== null &&
		LEDGER_STATES.includes(record.state) &&
		[record.key, record.operation, record.token].every((text) => typeof text === 'string') &&
		[record.attempt, record.revision, record.createdAt, record.updatedAt].every(Number.isFinite) &&
		[record.history, record.lateSuccesses, record.anomalies].every(Array.isArray) &&
		typeof record.counters === 'object';
	if (readable) return record as LedgerRecord;
	throw new LedgerError('UNREADABLE_RECORD', 'A record in the ledger file has another shape than this version writes');
}

/** Marks text that was escaped. Text of n8n doesn't start with it; if it does, it is escaped too. */
const ESCAPED = '\u0001';
/** With the u flag, paired surrogates are one character and don't match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Text for a column. NUL ends a text for some of SQLite's functions, and a lone surrogate becomes
 * U+FFFD, so that two texts would be one: those few are escaped, all others stay as people wrote them.
 */
export function asText(text: string): string {
	const plain = !text.startsWith(ESCAPED) && !text.includes('\0') && !LONE_SURROGATE.test(text);
	return plain ? text : ESCAPED + JSON.stringify(text);
}

/** The text that `asText` made a column of. */
export function fromText(column: string): string {
	return column.startsWith(ESCAPED) ? (JSON.parse(column.slice(1)) as string) : column;
}

function asTextOrNull(text: string | null): string | null {
	return text === null ? null : asText(text);
}
