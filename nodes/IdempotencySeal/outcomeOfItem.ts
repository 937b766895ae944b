import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { detectOutcome } from '../../ledger/core/outcomeDetection';
import type { DetectedOutcome, DetectionOptions } from '../../ledger/core/outcomeDetection';
import { fullResponse } from '../../ledger/core/outcome/httpResponse';
import { ownValue } from '../shared/claimHandle';
import type { FoundClaim } from '../shared/lineage';

/**
 * Read the outcome off an item, but not off a response that was in it when it was claimed: an earlier
 * call's, or fields called statusCode and headers that a sender posted. Of an effect that passes its
 * input on, such a 429 would free the key although the effect happened.
 */
export function outcomeOfItem({ json, error }: INodeExecutionData, claims: readonly FoundClaim[], options: DetectionOptions): DetectedOutcome {
	const asItStands = detectOutcome({ json, error }, options);
	// Read either way, a 2xx is a success: two calls within a second may well give equal responses.
	if (asItStands.word === 'success') return asItStands;
	const old = claims.filter(({ json: claimed }) => claimed !== null && isSameResponse(json, claimed));
	if (old.length === 0) return asItStands;
	const rest = { ...json };
	delete rest.statusCode;
	const without = detectOutcome({ json: rest, error }, options);
	// An error speaks for itself. An item that still has its claim is the claimed one, passed on.
	if (without.word !== 'success' || old.some(({ handle }) => carries(json, handle.token))) return without;
	const word = options.destinationHonoursKey ? 'unknown_retryable' : 'unknown';
	return { ...asItStands, word, evidence: 'The response in the item is the one it was claimed with, so it tells nothing of the effect' };
}

function isSameResponse(json: IDataObject, claimed: IDataObject): boolean {
	if (fullResponse(json) === null) return false;
	return ['statusCode', 'headers'].every((name) => isDeepStrictEqual(ownValue(json, name), ownValue(claimed, name)));
}

function carries(json: IDataObject, token: string): boolean {
	return Object.values(json).some((value) => ownValue(value, 'token') === token);
}
