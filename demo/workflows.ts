import { readFileSync } from 'node:fs';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../test/support/engine';
import { CLAIM, SEAL } from '../test/support/engine';

/** The node of the template that does the effect. */
const EFFECT = 'Charge Card';

export interface DemoSettings {
	providerUrl: string;
	/** how long the effect waits for the provider, in ms: the template's ten seconds are dull to watch */
	timeoutMs: number;
	leaseMinutes: number;
	baseDelaySeconds: number;
}

/** The template as it is in the repository, with the demo's address and shorter times. */
export function guardedWorkflow(template: string, settings: DemoSettings): WorkflowJson {
	const workflow = withEffectAt(JSON.parse(readFileSync(template, 'utf8')) as WorkflowJson, settings);
	return withParameters(workflow, {
		[CLAIM]: { leaseMinutes: settings.leaseMinutes },
		[SEAL]: { retry: { baseDelaySeconds: settings.baseDelaySeconds } },
	});
}

/** The same without Claim, Seal and what only they lead to: webhook, charge, answer. n8n's default settings. */
export function unguardedWorkflow(template: string, settings: DemoSettings): WorkflowJson {
	const guarded = guardedWorkflow(template, settings);
	const claim = theOnly(guarded, CLAIM);
	const seal = theOnly(guarded, SEAL);
	const trigger = guarded.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook') as INode;
	const effect = guarded.nodes.find(({ name }) => name === EFFECT) as INode;
	const answerName = guarded.connections[seal.name].main[0]?.[0].node;
	const answer = guarded.nodes.find(({ name }) => name === answerName) as INode;
	if (guarded.connections[claim.name].main[0]?.[0].node !== EFFECT) throw new Error(`The template's effect isn't "${EFFECT}"`);
	const bareEffect = { ...effect, onError: undefined, parameters: { ...effect.parameters, sendHeaders: false, headerParameters: {} } };
	const to = (node: INode) => ({ main: [[{ node: node.name, type: 'main' as const, index: 0 }]] });
	return {
		...guarded,
		nodes: [trigger, bareEffect, answer],
		connections: { [trigger.name]: to(effect), [effect.name]: to(answer) },
	};
}

function withEffectAt(workflow: WorkflowJson, { providerUrl, timeoutMs }: DemoSettings): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === EFFECT
			? { ...node, parameters: { ...node.parameters, url: providerUrl, options: { timeout: timeoutMs } } }
			: node,
	);
	return { ...workflow, nodes };
}

function withParameters(workflow: WorkflowJson, byType: Record<string, INodeParameters>): WorkflowJson {
	const nodes = workflow.nodes.map((node) => ({ ...node, parameters: { ...node.parameters, ...byType[node.type] } }));
	return { ...workflow, nodes };
}

function theOnly(workflow: WorkflowJson, type: string): INode {
	const nodes = workflow.nodes.filter((node) => node.type === type);
	if (nodes.length !== 1) throw new Error(`The template has ${nodes.length} nodes of type ${type}`);
	return nodes[0];
}
