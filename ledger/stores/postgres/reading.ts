import { positionOf } from '../../core/feed';
import type { ChangesPage, ChangesQuery } from '../../core/feed';
import { checkLimit, decodeCursor, encodeCursor } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { LedgerState } from '../../core/states';
import type { ListPage, ListQuery, OperationStatistics, Statistics } from '../../core/store';
import type { Row } from './connection';
import { readRecord } from './rows';
import { fromStorable, toStorable } from './text';

/** Records in the order of the keys that were asked for. */
export function pickRecords(keys: string[], rows: Row[]): { records: Array<LedgerRecord | null>; at: number } {
	const { records, at } = readAll(rows);
	const byKey = new Map(records.map((record) => [record.key, record]));
	return { records: keys.map((key) => byKey.get(key) ?? null), at };
}

/**
 * The parameters of sql/list.sql.
 * @throws LedgerError INVALID_PARAMETER, INVALID_CURSOR
 */
export function listValues(query: ListQuery): unknown[] {
	const limit = checkLimit(query.limit);
	const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
	return [
		query.states ?? null,
		toStorable(query.operation ?? null),
		toStorable(query.scope ?? null),
		toStorable(query.externalId ?? null),
		toStorable(query.correlationId ?? null),
		query.stuck ?? false,
		query.unchangedForMs === undefined ? null : Math.round(query.unchangedForMs),
		after?.createdAt ?? null,
		toStorable(after?.key ?? null),
		// One more tells whether there is a next page.
		limit + 1,
	];
}

export function listPage({ limit }: ListQuery, rows: Row[]): ListPage {
	const { records, at } = readAll(rows);
	const page = records.slice(0, limit);
	return { records: page, nextCursor: records.length > limit ? encodeCursor(page[page.length - 1]) : null, at };
}

/**
 * The parameters of sql/changes.sql.
 * @throws LedgerError INVALID_PARAMETER
 */
export function changesValues(query: ChangesQuery): unknown[] {
	const limit = checkLimit(query.limit);
	return [
		query.feed,
		toStorable(query.operation ?? null),
		toStorable(query.scope ?? null),
		Math.round(query.dueForMs ?? 0),
		query.after?.at ?? null,
		toStorable(query.after?.key ?? null),
		limit,
	];
}

export function changesPage({ limit }: ChangesQuery, settled: number, rows: Row[]): ChangesPage {
	const { records, at } = readAll(rows);
	const next = records.length === limit ? positionOf(records[limit - 1]) : null;
	return { records, next, settled: Math.min(settled, at), at };
}

/** Counts as sql/statistics.sql returns them. */
export function statisticsFrom(rows: Row[]): Statistics {
	const operations = rows
		.filter(({ operation }) => operation !== null)
		.map(operationFrom)
		.sort((a, b) => (a.operation < b.operation ? -1 : 1));
	return { operations, at: Number(rows[0].at) };
}

function operationFrom(row: Row): OperationStatistics {
	const states: Record<LedgerState, number> = {
		processing: Number(row.processing),
		succeeded: Number(row.succeeded),
		retryable_failed: Number(row.retryable_failed),
		permanent_failed: Number(row.permanent_failed),
		needs_review: Number(row.needs_review),
	};
	return {
		operation: fromStorable(String(row.operation)),
		states,
		duplicates: Number(row.duplicates),
		conflicts: Number(row.conflicts),
		takeovers: Number(row.takeovers),
		staleSeals: Number(row.stale_seals),
		oldestProcessingMs: age(row.oldest_processing_ms),
		oldestReviewMs: age(row.oldest_review_ms),
		stuck: Number(row.stuck),
	};
}

/** Never below 0: a record may have changed after the clock was read. */
const age = (ms: string | null): number | null => (ms === null ? null : Math.max(0, Number(ms)));

/** Reading statements give the clock in every row, and one row without a record when there is none. */
function readAll(rows: Row[]): { records: LedgerRecord[]; at: number } {
	const records = rows.flatMap(({ record }) => (record === null ? [] : [readRecord(record)]));
	return { records, at: Number(rows[0].at) };
}
