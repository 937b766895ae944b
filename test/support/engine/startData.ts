import { createRunExecutionData, deepCopy, type INode, type INodeExecutionData, type IRunExecutionData, type Workflow } from 'n8n-workflow';

import type { EngineRun } from './EngineRun';

/** The state of an execution that begins at a node with these items, or with the empty item a trigger gets. */
export function freshStart(
	startNode: INode,
	input: INodeExecutionData[] | undefined,
	pinData: IRunExecutionData['resultData']['pinData'],
): IRunExecutionData {
	return createRunExecutionData({
		startData: {},
		executionData: { nodeExecutionStack: [{ node: startNode, data: { main: [input ?? [{ json: {} }]] }, source: null }] },
		resultData: { pinData },
	});
}

/**
 * What n8n's Retry button makes of a failed execution: its data as stored, without the error and the
 * failed node's last run, so that it goes on at that node with the input it had.
 */
export function retryStart(failed: EngineRun, workflow: Workflow): IRunExecutionData {
	const data = deepCopy(failed.run.data);
	const { resultData } = data;
	delete resultData.error;
	const runs = resultData.runData[resultData.lastNodeExecuted ?? ''] ?? [];
	if (runs.at(-1)?.error !== undefined) runs.pop();
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		// The Retry button's usual choice: with the currently saved workflow.
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
	return data;
}

/** The one node to start at: named, or the only trigger. */
export function startNodeOf(workflow: Workflow, name: string | undefined): INode {
	const isTrigger = (node: INode) =>
		workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion).description.group.includes('trigger');
	const nodes = Object.values(workflow.nodes).filter((node) => (name === undefined ? isTrigger(node) : node.name === name));
	if (nodes.length !== 1) throw new Error(`Expected one node to start at, found ${nodes.length}; name it as startNode`);
	return nodes[0];
}
