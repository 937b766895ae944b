import type { IPollFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { filterText } from '../shared/filterText';
import { checkNumber } from '../shared/numberParameter';
import { EVENTS } from './events';
import type { LedgerEvent } from './events';

const MINUTE_MS = 60_000;
/** A month: above that it's a mistake of unit. */
const LONGEST_MINUTES = 44_640;

export const DEFAULT_BATCH_SIZE = 100;
export const DEFAULT_LEASE_GRACE_MINUTES = 1;
export const DEFAULT_OVERDUE_MINUTES = 10;

export interface TriggerParameters {
	events: LedgerEvent[];
	filter: { operation?: string; scope?: string };
	/** records of each kind per poll */
	batchSize: number;
	emitExisting: boolean;
	leaseGraceMs: number;
	overdueAfterMs: number;
}

/** @throws LedgerError INVALID_PARAMETER naming the parameter */
export function readTriggerParameters(context: IPollFunctions): TriggerParameters {
	const filters = context.getNodeParameter('filters', {}) as Record<string, unknown>;
	const options = context.getNodeParameter('options', {}) as Record<string, unknown>;
	const minutes = (label: string, value: unknown) => Math.round(checkNumber(label, value, { min: 0, max: LONGEST_MINUTES }) * MINUTE_MS);
	const filter: TriggerParameters['filter'] = {};
	// Also when an expression gave undefined: it was meant to narrow.
	if (Object.hasOwn(filters, 'claimedOperation')) filter.operation = filterText('Operation', filters.claimedOperation);
	if (Object.hasOwn(filters, 'scope')) filter.scope = filterText('Scope', filters.scope);
	return {
		events: chosenEvents(context.getNodeParameter('events', [])),
		filter,
		batchSize: checkNumber('Batch Size', options.batchSize ?? DEFAULT_BATCH_SIZE, { min: 1, max: 1_000, whole: true }),
		emitExisting: options.emitExisting === true,
		leaseGraceMs: minutes('Lease Grace Period (Minutes)', options.leaseGraceMinutes ?? DEFAULT_LEASE_GRACE_MINUTES),
		overdueAfterMs: minutes('Retry Overdue After (Minutes)', options.overdueAfterMinutes ?? DEFAULT_OVERDUE_MINUTES),
	};
}

function chosenEvents(value: unknown): LedgerEvent[] {
	const names: readonly unknown[] = EVENTS;
	if (Array.isArray(value) && value.length > 0 && value.every((event) => names.includes(event))) return value as LedgerEvent[];
	throw new LedgerError('INVALID_PARAMETER', `Events must name at least one of ${EVENTS.join(', ')}`);
}
