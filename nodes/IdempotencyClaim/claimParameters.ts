import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ClaimCommand } from '../../ledger/core/commands';
import { LedgerError } from '../../ledger/core/errors';
import type { Owner } from '../../ledger/core/record';
import type { ExpiredLeasePolicy } from '../../ledger/core/states';
import { DEFAULT_OUTPUT_FIELD } from '../shared/claimHandle';
import type { ItemOutputs } from '../shared/itemLoop';
import { keyOf } from '../shared/keyInput';
import { checkNumber } from '../shared/numberParameter';
import { checkOutputField } from '../shared/outputField';
import type { ClaimRequest } from './claimBatch';
import { itemFingerprint } from './itemFingerprint';
import { runTokens } from './runTokens';

export interface ItemRequest extends ClaimRequest {
	outputField: string;
	replayAs: 'field' | 'json';
}

/** A year: a longer lease is a mistake of unit. */
const LONGEST_LEASE_MINUTES = 366 * 24 * 60;
const SHORTEST_LEASE_MINUTES = 0.01;
const MOST_ATTEMPTS = 1000;
const LONGEST_RETENTION_DAYS = 36_500;
const LONGEST_WAIT_SECONDS = 3600;
const LONGEST_CORRELATION_ID = 255;

/**
 * What each item asks for. An item whose parameters can't be used has failed, and isn't in the list;
 * when that ends the run, nothing is: nobody would seal what it claimed.
 */
export function readRequests(context: IExecuteFunctions, outputs: ItemOutputs, hashSecret: string | null): ItemRequest[] {
	const tokenFor = runTokens(context, outputs.isTool);
	const owner = ownerOf(context);
	const requests: ItemRequest[] = [];
	for (const itemIndex of outputs.items.keys()) {
		let outputField: string | undefined;
		try {
			const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
			outputField = checkOutputField(options.outputField ?? DEFAULT_OUTPUT_FIELD);
			const ephemeral = options.manualRuns === 'apart' && context.getMode() === 'manual';
			const parts = keyOf(
				{
					operation: context.getNodeParameter('operation', itemIndex),
					businessId: context.getNodeParameter('businessId', itemIndex),
					options,
					ephemeral,
				},
				hashSecret,
			);
			requests.push({
				itemIndex,
				outputField,
				replayAs: options.replayAs === 'json' ? 'json' : 'field',
				waitMs: waitMs(options),
				command: {
					...parts,
					...claimTerms(context, itemIndex),
					...itemFingerprint(context, itemIndex, outputs.items[itemIndex].json, {
						wholeItem: options.fingerprintWholeItem === true,
						outputField,
					}),
					correlationId: correlationId(options.correlationId),
					owner,
					token: tokenFor(parts.key),
				},
			});
		} catch (error) {
			outputs.fail(itemIndex, error, {}, { field: outputField });
			if (outputs.stopsOnFailure) return [];
		}
	}
	return requests;
}

type Terms = Pick<ClaimCommand, 'leaseMs' | 'policy' | 'maxAttempts' | 'retentionSeconds'>;

function claimTerms(context: IExecuteFunctions, itemIndex: number): Terms {
	const leaseMinutes = checkNumber('Lease Duration (Minutes)', context.getNodeParameter('leaseMinutes', itemIndex), {
		min: SHORTEST_LEASE_MINUTES,
		max: LONGEST_LEASE_MINUTES,
	});
	const retentionDays = checkNumber('Keep Finished Records For (Days)', context.getNodeParameter('retentionDays', itemIndex), {
		min: 0,
		max: LONGEST_RETENTION_DAYS,
	});
	return {
		leaseMs: Math.round(leaseMinutes * 60_000),
		policy: policy(context.getNodeParameter('whenLeaseExpires', itemIndex)),
		maxAttempts: checkNumber('Max Attempts', context.getNodeParameter('maxAttempts', itemIndex), {
			min: 1,
			max: MOST_ATTEMPTS,
			whole: true,
		}),
		// Rounded up: 0 means for ever, so a very short time must not become it.
		retentionSeconds: Math.ceil(retentionDays * 86_400),
	};
}

function policy(value: unknown): ExpiredLeasePolicy {
	if (value === 'review' || value === 'take_over') return value;
	throw new LedgerError('INVALID_PARAMETER', 'When Lease Expires must be review or take_over');
}

function waitMs(options: IDataObject): number {
	const bounds = { min: 0, max: LONGEST_WAIT_SECONDS };
	return checkNumber('Wait While In Progress (Seconds)', options.waitSeconds ?? 0, bounds) * 1000;
}

function correlationId(value: unknown): string | null {
	if (value === undefined || value === null || value === '') return null;
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text === 'string' && text.length <= LONGEST_CORRELATION_ID) return text;
	throw new LedgerError('INVALID_PARAMETER', `Correlation ID must be a text of at most ${LONGEST_CORRELATION_ID} characters`);
}

/** Enough to find the execution in n8n, nothing secret. */
function ownerOf(context: IExecuteFunctions): Owner {
	const { id, name } = context.getWorkflow();
	return {
		instanceId: context.getInstanceId() || null,
		workflowId: id || null,
		workflowName: name || null,
		executionId: context.getExecutionId() || null,
		nodeName: context.getNode().name,
	};
}
