import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { DEFAULT_OUTPUT_FIELD, ownValue } from '../claimHandle';

/** By the last part of the type: the prefix depends on how the package was installed. */
const CLAIM = /(^|\.)idempotencyClaim$/;
const SEAL = /(^|\.)idempotencySeal$/;
const LOOKUP = /(^|\.)idempotencyLookup$/;
/** Where items of another workflow's run come in: what called this one, or what this one called. */
const HANDS_OVER = /(^|\.)executeWorkflow(Trigger)?$/;

export interface UpstreamNode {
	name: string;
	role: 'claim' | 'seal' | 'lookup' | 'other';
	disabled: boolean;
	/** field of its answer; null = an expression, to be looked for in the item */
	outputField: string | null;
	/** its items may carry a claim that was made in another workflow */
	handsOver: boolean;
}

/** The nodes that may lie before the running one, by name. */
export function upstreamNodesOf(context: IExecuteFunctions): Map<string, UpstreamNode> {
	// A tool has no main input of its own: what lies before it lies before its agent.
	const sources = context.getExecuteData().source?.main ?? [];
	const names = new Set([context.getNode().name, ...sources.flatMap((source) => source?.previousNode ?? [])]);
	const parents = [...names].flatMap((name) => context.getParentNodes(name, { includeNodeParameters: true }));
	return new Map(
		parents.map(({ name, type, disabled, parameters }) => [
			name,
			{ name, role: roleOf(type), disabled, outputField: outputFieldOf(parameters), handsOver: HANDS_OVER.test(type) && !disabled },
		]),
	);
}

function roleOf(type: string): UpstreamNode['role'] {
	if (CLAIM.test(type)) return 'claim';
	if (SEAL.test(type)) return 'seal';
	return LOOKUP.test(type) ? 'lookup' : 'other';
}

function outputFieldOf(parameters: INodeParameters | undefined): string | null {
	const field = ownValue(ownValue(parameters, 'options'), 'outputField');
	if (typeof field !== 'string' || field.trim() === '') return DEFAULT_OUTPUT_FIELD;
	return field.startsWith('=') ? null : field.trim();
}
