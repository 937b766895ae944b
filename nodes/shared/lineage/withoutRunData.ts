import type { IExecuteFunctions, INodeExecutionData, IPairedItemData, ISourceData } from 'n8n-workflow';

import { claimedHandle, ownValue, sealedTokens, type ClaimHandleJson } from '../claimHandle';
import { linkLost, problem, problemOf } from './problems';
import { EMPTY } from './trace';
import type { ClaimProblem } from './types';
import type { UpstreamNode } from './upstreamNodes';

type PairedItemLookUp = (node: string, source: ISourceData, link: IPairedItemData) => INodeExecutionData | null | undefined;

/**
 * The claim by n8n's documented look-up alone, for an n8n whose context has no run data. It can't tell
 * nested claims apart, nor follow a fan-in; then it answers with a problem, never with a guess.
 */
export function claimWithoutRunData(
	context: IExecuteFunctions,
	itemIndex: number,
	nodes: ReadonlyMap<string, UpstreamNode>,
): { handle: ClaimHandleJson; node: string } | ClaimProblem {
	const { pairedItem } = context.getInputData()[itemIndex];
	const link = typeof pairedItem === 'number' ? { item: pairedItem } : pairedItem;
	if (link === undefined || Array.isArray(link)) return linkLost(null);
	const source = link.sourceOverwrite ?? context.getExecuteData().source?.main?.[link.input ?? 0];
	if (!source) return linkLost(null);
	const { $getPairedItem } = context.getWorkflowDataProxy(itemIndex) as unknown as { $getPairedItem: PairedItemLookUp };

	let lookUpFailed = false;
	const itemAt = (node: UpstreamNode): INodeExecutionData | null => {
		try {
			return $getPairedItem(node.name, source, link) ?? null;
		} catch {
			// Another branch, or a lost link: n8n gives both the same way.
			lookUpFailed = true;
			return null;
		}
	};
	const enabled = [...nodes.values()].filter(({ disabled }) => !disabled);
	const answers = (node: UpstreamNode, item: INodeExecutionData | null): unknown[] => {
		if (item === null) return [];
		return node.outputField === null ? Object.values(item.json) : [ownValue(item.json, node.outputField)];
	};
	const sealed = new Set(
		enabled.filter(({ role }) => role === 'seal').flatMap((node) => answers(node, itemAt(node)).flatMap(sealedTokens)),
	);
	const open = enabled
		.filter(({ role }) => role === 'claim')
		.flatMap((node) => answers(node, itemAt(node)).flatMap((value) => {
			const handle = claimedHandle(value);
			return handle === null || sealed.has(handle.token) ? [] : [{ handle, node: node.name }];
		}));
	if (open.length === 1) return open[0];
	if (open.length > 1) {
		return problem('undecided', null, `This item came through several claims (${open.map(({ node }) => `"${node}"`).join(', ')}), and this n8n does not show which is the nearest`);
	}
	return lookUpFailed ? linkLost(null) : (problemOf(EMPTY, nodes) ?? linkLost(null));
}
