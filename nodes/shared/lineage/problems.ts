import { LEDGER_ERRORS } from '../../../ledger/core/errors';
import type { Clue, Trace } from './trace';
import type { ClaimProblem, ClaimProblemKind } from './types';
import type { UpstreamNode } from './upstreamNodes';

const CLAIM_OUTPUT_NAMES = ['Claimed', 'Done Before', 'In Progress', 'Review'];

export function problem(kind: ClaimProblemKind, node: string | null, text: string, advice?: string): ClaimProblem {
	const code = kind === 'link_lost' || kind === 'link_wrong' || kind === 'undecided' ? 'CLAIM_LINK_LOST' : 'CLAIM_NOT_FOUND';
	return { kind, code, node, text, advice: advice ?? LEDGER_ERRORS[code].advice };
}

/** Why a trace leads to no claim that may be sealed; null if it leads to one. */
export function problemOf(trace: Trace, nodes: ReadonlyMap<string, UpstreamNode>): ClaimProblem | null {
	if (trace.wrongLink !== null) return wrongLink(trace.wrongLink.node);
	if ([trace.claims, trace.carried].some(({ open, sealed }) => open.length + sealed.length > 0)) return null;
	const clue = (kind: Clue['kind']) => trace.clues.find((one) => one.kind === kind);
	const unclaimed = clue('notClaimed');
	if (unclaimed) return notClaimed(unclaimed);
	const failed = clue('claimFailed');
	if (failed) {
		return problem('not_claimed', failed.node, `"${failed.node}" did not claim this item`, `Look at what "${failed.node}" says about the item, and connect only its Claimed output to the effect.`);
	}
	const disabled = clue('claimDisabled');
	if (disabled) return claimDisabled(disabled.node);
	const untrusted = clue('untrusted');
	if (untrusted) return notHandedOver(untrusted.node);
	const claims = [...nodes.values()].filter(({ role }) => role === 'claim');
	if (claims.length === 0) return problem('no_claim', null, 'There is no Idempotency Claim before this node, and the item carries no claim');
	if (claims.every((claim) => claim.disabled)) return claimDisabled(claims[0].name);
	const lost = clue('lost');
	if (lost) return linkLost(lost.node);
	const root = clue('root');
	return problem(
		'no_claim',
		root?.node ?? null,
		`The item came from ${root ? `"${root.node}"` : 'another node'} without passing through an Idempotency Claim`,
	);
}

export function linkLost(node: string | null): ClaimProblem {
	if (node === null) return problem('link_lost', null, 'n8n does not say where this item came from');
	return problem(
		'link_lost',
		node,
		`The link from this item back to its claim was lost at the node "${node}"`,
		`Keep item linking in "${node}" (in a Code node, set pairedItem on every item you return), or set Claim to From This Item or Key and Token.`,
	);
}

function wrongLink(node: string): ClaimProblem {
	return problem(
		'link_wrong',
		node,
		`"${node}" put out items without links, and n8n linked them by position: this item carries another claim than its link leads to`,
		`Set pairedItem on every item that "${node}" returns, or set Claim to From This Item or Key and Token.`,
	);
}

export function notHandedOver(node: string): ClaimProblem {
	return problem(
		'no_claim',
		node,
		`The item of "${node}" carries a claim that no Idempotency Claim of this execution made, and no other workflow handed over`,
		'Connect this node behind an Idempotency Claim. If the item comes from a source that you trust, such as your own queue, set Claim to From This Item.',
	);
}

function notClaimed({ node, output = 0 }: Clue): ClaimProblem {
	const name = CLAIM_OUTPUT_NAMES[output] ?? 'Error';
	return problem(
		'not_claimed',
		node,
		`The item left "${node}" by its output ${name}, so nothing was claimed`,
		`Connect only the Claimed output of "${node}" to the effect and to this node.`,
	);
}

function claimDisabled(node: string): ClaimProblem {
	return problem(
		'claim_disabled',
		node,
		`"${node}" is disabled, so it passed its input on and nothing was claimed`,
		`Enable "${node}". While it is disabled, nothing keeps the effect from running twice.`,
	);
}
