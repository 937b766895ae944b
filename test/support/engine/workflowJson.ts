import type { IConnections, INode, INodeParameters, IPinData, IWorkflowSettings } from 'n8n-workflow';

/** Workflow JSON as the editor exports it; only what a run needs has to be there. */
export interface WorkflowJson {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export type NodeSettings = Partial<
	Pick<INode, 'disabled' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'alwaysOutputData' | 'executeOnce' | 'typeVersion' | 'credentials'>
>;

/** `[from, to]`, or `[from, output, to, input?]`; a name alone means output 0 and input 0. */
export type Wire = [string, string] | [string, number, string, number?];

let position = 0;

/** One node. Later nodes lie further right and down, which is the order n8n runs parallel branches in. */
export function node(name: string, type: string, parameters: INodeParameters = {}, settings: NodeSettings = {}): INode {
	position += 1;
	return { id: `id-${name}`, name, type, typeVersion: 1, position: [position * 10, position * 10], parameters, ...settings };
}

/**
 * A workflow of nodes and wires:
 * `workflow([node('Start', 'test.trigger'), node('Claim', CLAIM)], [['Start', 'Claim']])`.
 */
export function workflow(nodes: INode[], wires: Wire[], more: Partial<WorkflowJson> = {}): WorkflowJson {
	const connections: IConnections = {};
	for (const wire of wires) {
		const [from, output, to, input] = wire.length === 2 ? [wire[0], 0, wire[1], 0] : [wire[0], wire[1], wire[2], wire[3] ?? 0];
		// Own properties: a node may be called "constructor".
		if (!Object.hasOwn(connections, from)) connections[from] = { main: [] };
		const { main } = connections[from];
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: input });
	}
	return { name: 'Workflow under test', settings: { executionOrder: 'v1' }, ...more, nodes, connections };
}

/** Wires for a straight chain of nodes: `chain('Start', 'Claim', 'Effect')`. */
export function chain(...names: string[]): Wire[] {
	return names.slice(1).map((name, i): Wire => [names[i], name]);
}

/** Connect tool nodes to an agent. */
export function withTools(json: WorkflowJson, agent: string, ...tools: string[]): WorkflowJson {
	const connections = { ...json.connections };
	for (const tool of tools) connections[tool] = { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] };
	return { ...json, connections };
}
