import { NodeConnectionTypes } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

/** Present on n8n's execution contexts, missing from their type. */
interface WiringContext {
	getConnections?(destination: { name: string }, type: string): Array<Array<{ node: string; index: number }> | null>;
	workflow?: { getNode?(name: string): INode | null };
}

const OURS = /\.idempotency(Claim|Seal)(Tool)?$/;
const CLAIM = /\.idempotencyClaim$/;

/** For the person who builds the workflow, in manual runs: settings around Seal that cost money. Never fails a run. */
export function giveHints(context: IExecuteFunctions): void {
	if (context.getMode() !== 'manual') return;
	try {
		const hints = [...effectHints(context), ...takeOverHints(context)];
		context.addExecutionHints(...hints.map((message) => ({ message, type: 'warning' as const, location: 'outputPane' as const })));
	} catch {
		// Advice only: an n8n that answers these questions differently still seals.
	}
}

/** About the nodes right before this one: usually the effect. */
function effectHints(context: IExecuteFunctions): string[] {
	const wired = context as unknown as WiringContext;
	const inputs = wired.getConnections?.({ name: context.getNode().name }, NodeConnectionTypes.Main) ?? [];
	const names = new Set(inputs.flatMap((input) => (input ?? []).map(({ node }) => node)));
	return [...names].flatMap((name) => {
		const node = wired.workflow?.getNode?.(name);
		if (!node || node.disabled || OURS.test(node.type)) return [];
		const hints: string[] = [];
		if ((node.onError ?? 'stopWorkflow') === 'stopWorkflow' && node.continueOnFail !== true) {
			hints.push(`"${name}" stops the workflow when it fails, so its failures are never sealed: set its On Error to Continue`);
		}
		if (node.retryOnFail === true) {
			hints.push(`Retry On Fail of "${name}" repeats the effect before this node sees what happened: switch it off, the Retry output is the safe way`);
		}
		return hints;
	});
}

/** A retry of an unknown outcome needs the promise in both nodes, else the next claim goes to Review. */
function takeOverHints(context: IExecuteFunctions): string[] {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	if (options.destinationHonorsKey !== true) return [];
	return context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.filter(({ type, disabled, parameters }) => CLAIM.test(type) && !disabled && parameters?.whenLeaseExpires !== 'take_over')
		.map(({ name }) => `Destination Honors the Key is on, but "${name}" sends to Review what may be retried: set its When Lease Expires to Take Over`);
}
