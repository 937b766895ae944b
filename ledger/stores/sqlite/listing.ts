import type { SQLInputValue } from 'node:sqlite';

import type { Position } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { ListQuery } from '../../core/store';
import type { OpenFile } from './openFile';
import { asText, recordOf } from './rows';

/** Rows looked at in one step, and records read in one step: few enough to block only for milliseconds. */
const WINDOW_ROWS = 2000;
const STEP_RECORDS = 200;

/** Before every record. */
export const START: Position = { createdAt: -Number.MAX_SAFE_INTEGER, key: '' };

interface Filter {
	sql: string;
	values: SQLInputValue[];
}

const AFTER = '(created_at, key) > (?, ?)';
const UP_TO = '(created_at, key) <= (?, ?)';
const ORDER = 'ORDER BY created_at, key';
const positionValues = ({ createdAt, key }: Position) => [createdAt, asText(key)];

/**
 * The next records that pass the filters, and where to go on; null at the end. A filter that hardly
 * any record passes would make one statement scan the whole file, so each step looks at one window.
 */
export function nextRecords(
	{ database }: OpenFile,
	query: ListQuery,
	at: number,
	after: Position,
	wanted: number,
): { records: LedgerRecord[]; next: Position | null } {
	const { anchor, others } = filtersOf(query, at);
	const end = database
		.prepare(`SELECT created_at, key FROM ledger WHERE ${[anchor.sql, AFTER].join(' AND ')} ${ORDER} LIMIT 1 OFFSET ${WINDOW_ROWS - 1}`)
		.get(...anchor.values, ...positionValues(after));
	const filters = [anchor, ...others, { sql: AFTER, values: positionValues(after) }];
	if (end) filters.push({ sql: UP_TO, values: [Number(end.created_at), String(end.key)] });
	const limit = Math.min(wanted, STEP_RECORDS);
	const records = database
		.prepare(`SELECT record FROM ledger WHERE ${filters.map(({ sql }) => sql).join(' AND ')} ${ORDER} LIMIT ${limit}`)
		.all(...filters.flatMap(({ values }) => values))
		.map(recordOf);
	if (records.length === limit) return { records, next: records[records.length - 1] };
	return { records, next: end ? { createdAt: Number(end.created_at), key: String(end.key) } : null };
}

/** `anchor` is the filter with an index of its own, which the windows are cut from. */
function filtersOf(query: ListQuery, at: number): { anchor: Filter; others: Filter[] } {
	const filters: Filter[] = [];
	const equal = (column: string, value: string | undefined) => {
		if (value !== undefined) filters.push({ sql: `${column} = ?`, values: [asText(value)] });
	};
	equal('external_id', query.externalId);
	equal('correlation_id', query.correlationId);
	if (query.stuck) {
		filters.push({ sql: "state = 'processing'", values: [] });
		filters.push({ sql: 'COALESCE(lease_expires_at, 0) <= ?', values: [at] });
	}
	if (query.states?.length === 1) equal('state', query.states[0]);
	const indexed = filters.length > 0;
	if (query.states && query.states.length !== 1) {
		filters.push({ sql: `state IN (${query.states.map(() => '?').join(', ')})`, values: query.states });
	}
	equal('operation', query.operation);
	equal('scope', query.scope);
	if (query.unchangedForMs !== undefined) filters.push({ sql: 'updated_at <= ?', values: [at - query.unchangedForMs] });
	filters.push({ sql: '(expires_at IS NULL OR expires_at > ?)', values: [at] });
	return indexed ? { anchor: filters[0], others: filters.slice(1) } : { anchor: { sql: 'TRUE', values: [] }, others: filters };
}
