import { LedgerError } from './errors';
import type { LedgerRecord } from './record';
import type { ListPage, ListQuery } from './store';

/** Where a page ended: the sort key of its last record. */
export interface Position {
	/** epoch ms */
	createdAt: number;
	key: string;
}

/** Opaque text of a position. It names no more than the last record of a page the caller has seen. */
export function encodeCursor({ createdAt, key }: Position): string {
	return Buffer.from(JSON.stringify([createdAt, key]), 'utf8').toString('base64url');
}

/** @throws LedgerError INVALID_CURSOR for anything `encodeCursor` didn't make */
export function decodeCursor(cursor: string): Position {
	try {
		const [createdAt, key, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
		if (Number.isSafeInteger(createdAt) && typeof key === 'string' && rest.length === 0) return { createdAt, key };
	} catch {
		// falls through: any malformed text is the same mistake
	}
	throw new LedgerError('INVALID_CURSOR', 'The cursor is not one that this ledger returned');
}

/** @throws LedgerError INVALID_PARAMETER when the limit is outside 1 … 1,000 */
export function checkLimit(limit: number): number {
	if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
	throw new LedgerError('INVALID_PARAMETER', 'The limit of a page must be a whole number from 1 to 1,000');
}

/** Whether a record passes every given filter at that moment. */
export function matches(record: LedgerRecord, query: ListQuery, at: number): boolean {
	if (query.states && !query.states.includes(record.state)) return false;
	if (query.operation !== undefined && record.operation !== query.operation) return false;
	if (query.scope !== undefined && record.scope !== query.scope) return false;
	if (query.externalId !== undefined && record.externalId !== query.externalId) return false;
	if (query.correlationId !== undefined && record.correlationId !== query.correlationId) return false;
	if (query.stuck && !(record.state === 'processing' && at >= (record.leaseExpiresAt ?? 0))) return false;
	return query.unchangedForMs === undefined || at - record.updatedAt >= query.unchangedForMs;
}

/** Order of every listing: oldest first by creation, then by key (UTF-16 code units; keys are ASCII). */
export function byAge(a: Position, b: Position): number {
	return a.createdAt - b.createdAt || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** One page out of records in memory; what the stores' own listing is tested against. */
export function pageOf(records: LedgerRecord[], query: ListQuery, at: number): ListPage {
	const limit = checkLimit(query.limit);
	const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
	const found = records
		.filter((record) => matches(record, query, at) && (after === null || byAge(record, after) > 0))
		.sort(byAge);
	const page = found.slice(0, limit);
	const nextCursor = found.length > limit ? encodeCursor(page[page.length - 1]) : null;
	return { records: page, nextCursor, at };
}
