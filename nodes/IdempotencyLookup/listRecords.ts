import type { IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { LEDGER_STATES } from '../../ledger/core/states';
import type { LedgerState } from '../../ledger/core/states';
import type { LedgerRecord } from '../../ledger/core/record';
import type { LedgerStore, ListQuery } from '../../ledger/core/store';
import { filterText } from '../shared/filterText';
import { checkNumber } from '../shared/numberParameter';

/** Records per round trip: small enough to be sent at once, large enough not to matter. */
const PAGE = 500;

export interface Listing {
	query: Omit<ListQuery, 'limit'>;
	/** Infinity = all */
	limit: number;
}

/** @throws LedgerError INVALID_PARAMETER naming the filter */
export function readListing(context: IExecuteFunctions, itemIndex: number): Listing {
	const filters = context.getNodeParameter('filters', itemIndex, {}) as Record<string, unknown>;
	const all = context.getNodeParameter('returnAll', itemIndex, false) === true;
	const limit = all
		? Infinity
		: checkNumber('Limit', context.getNodeParameter('limit', itemIndex, 50), { min: 1, max: 100_000, whole: true });
	const query: Listing['query'] = {};
	// Also when an expression gave undefined: it was meant to narrow the list.
	const given = (name: string) => Object.hasOwn(filters, name);
	if (given('states')) query.states = states(filters.states);
	if (given('claimedOperation')) query.operation = filterText('Operation', filters.claimedOperation);
	if (given('scope')) query.scope = filterText('Scope', filters.scope);
	if (given('externalId')) query.externalId = filterText('External ID', filters.externalId);
	if (given('correlationId')) query.correlationId = filterText('Correlation ID', filters.correlationId);
	if (filters.stuck === true) query.stuck = true;
	if (given('olderThanHours')) {
		// Ten years: above that it's a mistake of unit.
		const hours = checkNumber('Older Than (Hours)', filters.olderThanHours, { min: 0, max: 87_600 });
		query.unchangedForMs = Math.round(hours * 3_600_000);
	}
	// Empty on the first round of a loop over pages.
	if (filters.cursor !== undefined && filters.cursor !== null && filters.cursor !== '') {
		query.cursor = filterText('Cursor', filters.cursor);
	}
	return { query, limit };
}

/** Pages until the limit is reached or the records end; `nextCursor` is null if they ended. */
export async function listRecords(
	ledger: <Value>(use: (store: LedgerStore) => Promise<Value>) => Promise<Value>,
	{ query, limit }: Listing,
): Promise<{ records: LedgerRecord[]; nextCursor: string | null; at: number }> {
	const records: LedgerRecord[] = [];
	let cursor = query.cursor;
	for (;;) {
		const size = Math.min(PAGE, limit - records.length);
		const page = await ledger((store) => store.list({ ...query, limit: size, ...(cursor === undefined ? {} : { cursor }) }));
		records.push(...page.records);
		if (page.nextCursor === null || records.length >= limit) return { records, nextCursor: page.nextCursor, at: page.at };
		cursor = page.nextCursor;
	}
}

function states(value: unknown): LedgerState[] {
	const names: readonly unknown[] = LEDGER_STATES;
	if (Array.isArray(value) && value.length > 0 && value.every((state) => names.includes(state))) return value as LedgerState[];
	throw new LedgerError('INVALID_PARAMETER', `The filter States must name at least one of ${LEDGER_STATES.join(', ')}`);
}
