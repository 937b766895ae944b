import { LedgerError } from '../../core/errors';
import type { Json, LedgerRecord } from '../../core/record';

/**
 * How a record lies in a hash; lua/include/record.lua is the other side. Absent is null, false, a
 * counter of 0 or an empty list. Texts from callers are JSON, so that any text comes back as it was
 * (JSON escapes NUL and lone surrogates) and Lua can compare and join them without parsing.
 */
export type Fields = Record<string, string>;

const NUMBERS = [
	'revision', 'attempt', 'maxAttempts', 'leaseExpiresAt', 'retryAt', 'deadlineAt',
	'createdAt', 'updatedAt', 'completedAt', 'expiresAt', 'retentionSeconds',
] as const;
const WORDS = ['key', 'state', 'reason', 'policy', 'sealedWord'] as const;
const JSONS = [
	'operation', 'businessId', 'scope', 'version', 'token', 'fingerprint', 'fingerprintFields',
	'result', 'externalId', 'correlationId', 'owner', 'decidedBy',
] as const;
const FLAGS = ['unknownEarlier', 'ephemeral'] as const;
const LISTS = ['lateSuccesses', 'anomalies', 'history'] as const;
const COUNTERS = ['duplicates', 'conflicts', 'takeovers', 'staleSeals'] as const;

/** What a filter, a feed or a count looks at: everything but the big fields. */
export const SLIM_FIELDS = [
	...WORDS, ...NUMBERS, ...FLAGS, ...COUNTERS, 'operation', 'scope', 'token', 'externalId', 'correlationId',
	'lateSuccesses',
];

/** Fields of a whole record, as a script would have written them. */
export function encodeRecord(record: LedgerRecord): Fields {
	const fields: Fields = {};
	for (const name of WORDS) if (record[name] !== null) fields[name] = record[name];
	for (const name of NUMBERS) if (record[name] !== null) fields[name] = String(record[name]);
	for (const name of JSONS) if (record[name] !== null) fields[name] = JSON.stringify(record[name]);
	for (const name of FLAGS) if (record[name]) fields[name] = '1';
	for (const name of COUNTERS) if (record.counters[name] !== 0) fields[name] = String(record.counters[name]);
	const late = record.lateSuccesses.map(({ attempt, externalId, at }) => ({ attempt, externalId, at }));
	const anomalies = record.anomalies.map(({ kind, externalId, otherKey, at }) => ({ kind, externalId, otherKey, at }));
	// The order of an entry's names counts: scripts compare entries as text.
	const lists = { lateSuccesses: late, anomalies, history: record.history };
	for (const name of LISTS) {
		if (lists[name].length > 0) fields[name] = lists[name].map((entry) => JSON.stringify(entry)).join('\n');
	}
	if (record.lastError !== null) {
		const { at, ...error } = record.lastError;
		fields.lastError = JSON.stringify(error);
		fields.lastErrorAt = String(at);
	}
	return fields;
}

/**
 * The record of its fields; of slim fields, one with nothing in the rest.
 * @throws LedgerError UNREADABLE_RECORD
 */
export function decodeRecord(fields: Fields): LedgerRecord {
	try {
		const record: Record<string, unknown> = {};
		for (const name of WORDS) record[name] = fields[name] ?? null;
		for (const name of NUMBERS) record[name] = number(fields[name]);
		for (const name of JSONS) record[name] = json(fields[name]);
		for (const name of FLAGS) record[name] = fields[name] !== undefined;
		for (const name of LISTS) {
			record[name] = fields[name] === undefined ? [] : JSON.parse(`[${fields[name].replaceAll('\n', ',')}]`);
		}
		record.counters = Object.fromEntries(COUNTERS.map((name) => [name, number(fields[name]) ?? 0]));
		record.lastError =
			fields.lastError === undefined ? null : { ...JSON.parse(fields.lastError), at: number(fields.lastErrorAt) };
		if (record.key === null || record.state === null || record.createdAt === null) throw new TypeError('field missing');
		return record as unknown as LedgerRecord;
	} catch (error) {
		throw unreadable(fields.key, error);
	}
}

/** Field by field, as HGETALL and the scripts answer: name, value, name, value … */
export function pairs(flat: string[]): Fields {
	const fields: Fields = {};
	for (let i = 0; i < flat.length; i += 2) fields[flat[i]] = flat[i + 1];
	return fields;
}

function json(text: string | undefined): Json {
	return text === undefined ? null : (JSON.parse(text) as Json);
}

function number(text: string | undefined): number | null {
	if (text === undefined) return null;
	const value = Number(text);
	if (text === '' || Number.isNaN(value)) throw new TypeError('not a number');
	return value;
}

function unreadable(key: string | undefined, cause: unknown): LedgerError {
	const name = key === undefined ? 'A record' : `The record ${JSON.stringify(key)}`;
	return new LedgerError('UNREADABLE_RECORD', `${name} in Redis can't be read`, { cause });
}
