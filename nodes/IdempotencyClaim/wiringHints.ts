import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INode, NodeExecutionHint } from 'n8n-workflow';

import { worstCaseCalls } from '../../ledger/core/retryPolicy';
import { CLAIM_OUTPUTS } from './claimAnswer';

/** Present on n8n's execution contexts, missing from their type. */
interface WiringContext {
	getConnections?(destination: { name: string }, type: string): Array<Array<{ node: string; index: number }> | null>;
	workflow?: { getNode?(name: string): INode | null };
}

/** How often n8n runs a node with Retry On Fail that doesn't say how often. */
const N8N_TRIES = 3;
const SEAL = /\.idempotencySeal(Tool)?$/;

/** What is wrong with the way this Claim is connected; for a person who looks at a manual run. */
export function wiringHints(context: IExecuteFunctions): NodeExecutionHint[] {
	const { name } = context.getNode();
	const children = context.getChildNodes(name).filter(({ disabled }) => !disabled);
	const wired = context as unknown as WiringContext;
	const outputsInto = (child: string) => outputsOf(wired, name, child);

	// A sub-workflow may hand its claimed items back, or the effect and its seal may be in one.
	const partOfMore =
		context.getParentNodes(name).some(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger') ||
		children.some(({ type }) => type === 'n8n-nodes-base.executeWorkflow');

	const claimed = children.filter((child) => outputsInto(child.name).has(CLAIM_OUTPUTS.claimed));
	const hints: string[] = [];
	if (claimed.length === 0 && !partOfMore && wired.getConnections !== undefined) {
		hints.push('Nothing is connected to Claimed: claimed items end here, and their keys go to Review when the lease is over');
	}
	for (const child of claimed) {
		if (outputsInto(child.name).size > 1) {
			hints.push(
				`"${child.name}" is connected to Claimed and to another output: it runs for items that were not claimed as well`,
			);
		}
		if (SEAL.test(child.type)) continue;
		const node = wired.workflow?.getNode?.(child.name);
		if (node?.retryOnFail === true) {
			const maxAttempts = Number(context.getNodeParameter('maxAttempts', 0));
			const calls = worstCaseCalls({ maxAttempts, triesPerAttempt: node.maxTries ?? N8N_TRIES });
			hints.push(
				`Retry On Fail of "${child.name}" repeats the effect without asking the ledger, up to ${calls} calls for one key instead of ${maxAttempts}: switch it off, and let Idempotency Seal decide`,
			);
		}
	}
	if (claimed.length > 0 && !partOfMore && !children.some(({ type }) => SEAL.test(type))) {
		hints.push('No Idempotency Seal follows: outcomes are not recorded, and every key goes to Review when its lease is over');
	}
	return hints.map((message) => ({ message, type: 'warning', location: 'outputPane' }));
}

/** The outputs of this node that lead straight into a child. */
function outputsOf(context: WiringContext, name: string, child: string): Set<number> {
	const inputs = context.getConnections?.({ name: child }, NodeConnectionTypes.Main) ?? [];
	return new Set(inputs.flatMap((input) => (input ?? []).filter(({ node }) => node === name).map(({ index }) => index)));
}
