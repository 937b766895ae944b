import type { IDataObject } from 'n8n-workflow';

import type { LedgerErrorCode } from '../../../ledger/core/errors';
import type { ClaimHandleJson } from '../claimHandle';

/**
 * Items of the same claim that came out of the node runs on the path beside the item itself. An error
 * beside a success is mixed, whatever became of the other item: another output, a Filter that dropped
 * it, an Aggregate that took it up. Whether a number is 0 is exact; the number itself is a guide.
 */
export interface Sideways {
	errors: number;
	successes: number;
	/** empty items that Always Output Data made */
	ghosts: number;
}

export interface FoundClaim {
	handle: ClaimHandleJson;
	/** the Claim node; for a carried handle, the node whose item carries it */
	claimNode: string;
	/** JSON of the item as it left Claim, or as it first carried the handle; null where that can't be seen */
	json: IDataObject | null;
	sideways: Sideways;
	/** a node on the path, or the Claim itself, gave pinned data */
	pinned: boolean;
	/** there are nodes between Claim and here, and every one is disabled: the effect didn't run */
	onlyDisabledBetween: boolean;
}

export type ClaimProblemKind =
	/** no Claim before this node, or the item came around it */
	| 'no_claim'
	/** the Claim on the path is disabled, so it passed its input on */
	| 'claim_disabled'
	/** the item left Claim by another output than Claimed, or Claim failed on it */
	| 'not_claimed'
	/** a node on the path doesn't say which item its item came of */
	| 'link_lost'
	/** the item carries another claim of this execution than its link leads to: links were guessed by position */
	| 'link_wrong'
	/** without run data, and n8n's own look-up gives more than one claim */
	| 'undecided';

export interface ClaimProblem {
	kind: ClaimProblemKind;
	code: Extract<LedgerErrorCode, 'CLAIM_NOT_FOUND' | 'CLAIM_LINK_LOST'>;
	/** the node to look at, if there is one */
	node: string | null;
	/** what happened, one sentence for people, without a full stop */
	text: string;
	/** what to do */
	advice: string;
}

/** What the path of one item says. `claims` is empty exactly when there is a `problem`. */
export interface ItemClaims {
	claims: readonly FoundClaim[];
	/** all of them were sealed by a Seal on the path already */
	alreadySealed: boolean;
	/** found as a handle in the item's data (claimed in a parent workflow), not at a Claim node */
	carried: boolean;
	/** sum over the claims */
	sideways: Sideways;
	/** true for one of the claims at least */
	pinned: boolean;
	/** true for one of the claims at least */
	onlyDisabledBetween: boolean;
	/** the item itself is the empty one that Always Output Data made */
	isGhost: boolean;
	/** nodes where some link was lost on a path that might have led to more claims */
	lostAt: readonly string[];
	/** false = found by n8n's own look-up alone: neither sideways, pinned nor disabled nodes could be seen */
	sawPath: boolean;
	problem: ClaimProblem | null;
}

export interface ClaimSearch {
	forItem(itemIndex: number): ItemClaims;
}
