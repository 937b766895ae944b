import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimHandleJson } from '../shared/claimHandle';

/**
 * True if the effect before this node may have been run again by n8n, under a claim of another
 * execution: by the Retry button, or in the editor by *Execute step*, which takes the claim from the
 * run data of an earlier execution. A failure then describes the repeated call, not the first one.
 */
export function isRerun(context: IExecuteFunctions, { executionId: claimedBy }: ClaimHandleJson): boolean {
	if (claimedBy === (context.getExecutionId() || null)) return false;
	const mode = context.getMode();
	// Key and Token don't say who claimed. A person who tries a callback in the editor repeats nothing.
	return mode === 'retry' || (mode === 'manual' && claimedBy !== null);
}
