import { LedgerError } from '../../core/errors';
import type { HistoryEntry, Json, LedgerRecord } from '../../core/record';
import { fromStorable, hasEscapes, mapStrings } from './text';

/** A row of the records table as row_to_json gives it: times as ISO 8601 texts, JSON as JSON. */
interface RecordRow {
	key: string;
	operation: string;
	business_id: string;
	scope: string | null;
	version: string | null;
	revision: number;
	state: LedgerRecord['state'];
	reason: LedgerRecord['reason'];
	token: string;
	attempt: number;
	max_attempts: number;
	policy: LedgerRecord['policy'];
	fingerprint: string | null;
	fingerprint_fields: string | null;
	lease_expires_at: string | null;
	retry_at: string | null;
	deadline_at: string | null;
	result: Json;
	external_id: string | null;
	late_successes: LedgerRecord['lateSuccesses'];
	anomalies: LedgerRecord['anomalies'];
	unknown_earlier: boolean;
	sealed_word: LedgerRecord['sealedWord'];
	decided_by: LedgerRecord['decidedBy'];
	last_error: LedgerRecord['lastError'];
	correlation_id: string | null;
	owner: LedgerRecord['owner'];
	duplicates: number;
	conflicts: number;
	takeovers: number;
	stale_seals: number;
	created_at: string;
	updated_at: string;
	completed_at: string | null;
	expires_at: string | null;
	retention_seconds: number;
	ephemeral: boolean;
	history: HistoryEntry[];
	claim_answer: string | null;
	answered_at: string | null;
}

/** What the columns hold beside the record: how the last claim was answered. */
export interface ClaimTrace {
	answer: string | null;
	/** epoch ms */
	at: number | null;
}

/**
 * A record as SQL returned it (one JSON text).
 * @throws LedgerError UNREADABLE_RECORD
 */
export function readRecord(text: string): LedgerRecord {
	return readRow(text).record;
}

/** @throws LedgerError UNREADABLE_RECORD */
export function readRow(text: string): { record: LedgerRecord; trace: ClaimTrace } {
	try {
		const row = JSON.parse(text) as RecordRow;
		return { record: recordOf(hasEscapes(text) ? unescaped(row) : row), trace: { answer: row.claim_answer, at: epochMs(row.answered_at) } };
	} catch (error) {
		throw unreadable(error);
	}
}

const unreadable = (cause: unknown) =>
	new LedgerError('UNREADABLE_RECORD', 'A record in the PostgreSQL ledger could not be read', { cause });

function recordOf(row: RecordRow): LedgerRecord {
	return {
		key: row.key,
		operation: row.operation,
		businessId: row.business_id,
		scope: row.scope,
		version: row.version,
		revision: row.revision,
		state: row.state,
		reason: row.reason,
		token: row.token,
		attempt: row.attempt,
		maxAttempts: row.max_attempts,
		policy: row.policy,
		fingerprint: row.fingerprint,
		fingerprintFields: row.fingerprint_fields,
		leaseExpiresAt: epochMs(row.lease_expires_at),
		retryAt: epochMs(row.retry_at),
		deadlineAt: epochMs(row.deadline_at),
		result: row.result,
		externalId: row.external_id,
		lateSuccesses: row.late_successes,
		anomalies: row.anomalies,
		unknownEarlier: row.unknown_earlier,
		sealedWord: row.sealed_word,
		decidedBy: row.decided_by,
		lastError: row.last_error,
		correlationId: row.correlation_id,
		owner: row.owner,
		counters: {
			duplicates: row.duplicates,
			conflicts: row.conflicts,
			takeovers: row.takeovers,
			staleSeals: row.stale_seals,
		},
		createdAt: Date.parse(row.created_at),
		updatedAt: Date.parse(row.updated_at),
		completedAt: epochMs(row.completed_at),
		expiresAt: epochMs(row.expires_at),
		retentionSeconds: row.retention_seconds,
		ephemeral: row.ephemeral,
		history: row.history,
	};
}

const epochMs = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Every text was stored by `toStorable`, except results, which are JSON of the user's own. */
function unescaped(row: RecordRow): RecordRow {
	const { result, history, ...rest } = row;
	return {
		...mapStrings(rest, fromStorable),
		result,
		history: history.map(({ kept, ...entry }) => ({
			...mapStrings(entry, fromStorable),
			kept: mapKept(kept, fromStorable),
		})),
	};
}

/** What a decision took off the record: its texts, but not the result inside. */
export function mapKept(kept: Json, change: (text: string) => string): Json {
	if (kept === null || typeof kept !== 'object' || Array.isArray(kept)) return kept;
	const { result, ...rest } = kept;
	return result === undefined ? mapStrings(rest, change) : { ...mapStrings(rest, change), result };
}
