import type { INodeExecutionData } from 'n8n-workflow';

import { detectOutcome } from '../../../ledger/core/outcomeDetection';
import { ownValue } from '../claimHandle';
import type { UpstreamNode } from './upstreamNodes';

/** What a stored item tells of its claim, seen from another item of the same claim. */
export type ItemKind = 'success' | 'error' | 'ghost';

/** Claim's outputs from here on, the error output too, say that something isn't done. */
const FIRST_UNSETTLED_CLAIM_OUTPUT = 2;

export function kindOf(item: INodeExecutionData, output: number, node: UpstreamNode): ItemKind {
	// A guard inside a guarded stretch: only what it sealed, or found sealed, went well.
	if (!node.disabled && node.role === 'seal') return output === 0 ? 'success' : 'error';
	if (!node.disabled && node.role === 'claim') return output < FIRST_UNSETTLED_CLAIM_OUTPUT ? 'success' : 'error';
	if (isGhost(item, output)) return 'ghost';
	return hasFailed(item) ? 'error' : 'success';
}

/**
 * The empty item that n8n adds to output 0 under Always Output Data. Its mark: it is linked to every
 * input item, with the input's number even where nodes leave that out.
 */
export function isGhost(item: INodeExecutionData, output: number): boolean {
	const { pairedItem } = item;
	return (
		output === 0 &&
		Object.keys(item.json ?? {}).length === 0 &&
		Array.isArray(pairedItem) &&
		pairedItem.every((link) => ownValue(link, 'input') !== undefined)
	);
}

/** By the rules that Seal reads an outcome by, so that an item isn't one thing to it and another beside it. */
function hasFailed(item: INodeExecutionData): boolean {
	return detectOutcome(item).word !== 'success';
}
