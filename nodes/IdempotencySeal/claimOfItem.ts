import type { IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { claimedHandle, ownValue } from '../shared/claimHandle';
import type { ClaimHandleJson } from '../shared/claimHandle';
import { findClaims } from '../shared/lineage';
import type { ItemClaims } from '../shared/lineage';
import { checkNumber } from '../shared/numberParameter';
import { handleFromKey } from './handleFromKey';

/** The claims behind one item, and what its path says of them (null when the path wasn't walked). */
export interface ClaimsOfItem {
	handles: ClaimHandleJson[];
	path: ItemClaims | null;
}

/**
 * Read where the claim comes from, for each item of a run. The path is only walked if an item asks for it.
 * The function it gives throws LedgerError CLAIM_NOT_FOUND, CLAIM_LINK_LOST, INVALID_PARAMETER.
 */
export function claimsOfItems(context: IExecuteFunctions): (itemIndex: number) => ClaimsOfItem {
	let search: ReturnType<typeof findClaims> | undefined;
	return (itemIndex) => {
		const source = context.getNodeParameter('claimSource', itemIndex);
		switch (source) {
			case 'automatic':
				return onPath((search ??= findClaims(context)).forItem(itemIndex));
			case 'item':
				return { handles: [fromField(context, itemIndex)], path: null };
			case 'keyAndToken':
				return { handles: [fromParameters(context, itemIndex)], path: null };
			default:
				throw new LedgerError('INVALID_PARAMETER', 'Claim must be automatic, item or keyAndToken');
		}
	};
}

function onPath(path: ItemClaims): ClaimsOfItem {
	const { problem } = path;
	if (problem !== null) throw new LedgerError(problem.code, problem.text, { advice: problem.advice });
	return { handles: path.claims.map(({ handle }) => handle), path };
}

function fromField(context: IExecuteFunctions, itemIndex: number): ClaimHandleJson {
	const field = String(context.getNodeParameter('claimField', itemIndex)).trim();
	const handle = claimedHandle(ownValue(context.getInputData()[itemIndex].json, field));
	if (handle !== null) return handle;
	throw new LedgerError('CLAIM_NOT_FOUND', `The field "${field}" of this item holds no claim`, {
		advice: 'Set Claim Field to the Output Field of your Idempotency Claim, and keep that field up to this node; or set Claim to Automatic.',
	});
}

function fromParameters(context: IExecuteFunctions, itemIndex: number): ClaimHandleJson {
	const text = (name: string, label: string): string => {
		const value = context.getNodeParameter(name, itemIndex);
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		throw new LedgerError('INVALID_PARAMETER', `${label} is empty`, {
			advice: `Map ${label} to the value that Idempotency Claim returned.`,
		});
	};
	const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true };
	const attempt = checkNumber('Attempt', context.getNodeParameter('attempt', itemIndex), bounds);
	return handleFromKey(text('key', 'Key'), text('token', 'Claim Token'), attempt);
}
