import type { INode, INodeParameters } from 'n8n-workflow';

import { claimedHandle, sealedTokens } from '../../../nodes/shared/claimHandle';
import { CLAIM, node, SEAL, workflow, type EngineRun, type NodeSettings, type RunOptions, type Wire, type WorkflowJson } from '../../support/engine';
import type { Finding } from './stubNodes';

/** One workflow, and what the Seals in it have to seal. The same for stub nodes and for the real ones. */
export interface LineageCase {
	shows: string;
	nodes: INode[];
	wires: Wire[];
	/**
	 * By Seal: its items in the order they came out, run by run and output by output, each as
	 * `Output: id+id` of the business IDs sealed; `Review: -` = nothing was sealed.
	 */
	seals: Record<string, string[]>;
	effects?: RunOptions['effects'];
	code?: RunOptions['code'];
	mode?: RunOptions['mode'];
	workflows?: Record<string, WorkflowJson>;
	more?: Partial<WorkflowJson>;
	/** press n8n's Retry button after the first run, with these effects; `seals` is about the second run */
	retryWith?: RunOptions['effects'];
	/** found somewhere in what the Seals put out */
	text?: RegExp;
	/** more about what the walk found; with the stub Seal only */
	findings?: (findings: Finding[]) => void;
}

export const claimNode = (name = 'Claim', parameters: INodeParameters = {}, settings: NodeSettings = {}): INode =>
	node(name, CLAIM, { operation: name.toLowerCase().replace(/[^a-z0-9]+/g, '_'), businessId: '={{ $json.id }}', ...parameters }, settings);

/** On Error = Continue, so that what Seal can't seal shows on Review and doesn't end the run. */
export const sealNode = (name = 'Seal', parameters: INodeParameters = {}, settings: NodeSettings = {}): INode =>
	node(name, SEAL, parameters, { onError: 'continueRegularOutput', ...settings });

export const start = (...ids: Array<string | object>): INode =>
	node('Start', 'test.trigger', { items: ids.map((id) => (typeof id === 'string' ? { id } : id)) as never });

export const effect = (name = 'Effect', settings: NodeSettings = {}): INode => node(name, 'test.effect', {}, settings);
export const noOp = (name: string, settings: NodeSettings = {}): INode => node(name, 'test.noOp', {}, settings);
export const code = (name = 'Code'): INode => node(name, 'test.code');

export function workflowOf({ nodes, wires, more }: LineageCase): WorkflowJson {
	return workflow(nodes, wires, more);
}

const OUTPUTS = ['Sealed', 'Retry', 'Failed', 'Review'];

/** What the Seals of a run (and of the workflows it called) sealed, in the words of `LineageCase.seals`. */
export function sealsOf(run: EngineRun, names: string[]): Record<string, string[]> {
	const runs = [run, ...run.subRuns];
	const ids = new Map<string, string>();
	for (const item of runs.flatMap(allItems)) {
		for (const value of Object.values(item)) {
			const handle = claimedHandle(value);
			if (handle) ids.set(handle.token, handle.businessId);
		}
	}
	return Object.fromEntries(
		names.map((name) => [
			name,
			runs.flatMap(({ runData }) => (runData[name] ?? []).flatMap(({ data }) =>
				(data?.main ?? []).flatMap((items, output) =>
					(items ?? []).map(({ json }) => {
						const sealed = Object.values(json).flatMap(sealedTokens).map((token) => ids.get(token) ?? '?');
						return `${OUTPUTS[output] ?? 'Error'}: ${sealed.join('+') || '-'}`;
					}),
				),
			)),
		]),
	);
}

function allItems({ runData }: EngineRun): object[] {
	return Object.values(runData).flatMap((tasks) => tasks.flatMap((task) => (task.data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json))));
}
