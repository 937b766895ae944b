import './environment';

import { WorkflowExecute } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ExecuteWorkflowData,
	INodeExecutionData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalDataOf } from './additionalData';
import type { CredentialMap } from './credentials';
import { EngineRun } from './EngineRun';
import type { CodeScript } from './nodes/code';
import type { EffectScript } from './nodes/effect';
import { nodeTypesOf, type NodeTypeMap } from './nodeTypes';
import { freshStart, retryStart, startNodeOf } from './startData';
import type { WorkflowJson } from './workflowJson';

export interface RunOptions {
	workflow: WorkflowJson;
	/** nodes under test by full type name; the `test.*` nodes are always there */
	nodeTypes?: NodeTypeMap;
	/** what each `test.effect` node does, by node name */
	effects?: Record<string, EffectScript>;
	/** what each `test.code` node does, by node name */
	code?: Record<string, CodeScript>;
	/** decrypted data by credential id or name */
	credentials?: CredentialMap;
	/** default `trigger`, a production run */
	mode?: WorkflowExecuteMode;
	/** default: a new number; null = none, as under an MCP trigger */
	executionId?: string | null;
	/** node to start at; default: the only trigger */
	startNode?: string;
	/** input of the start node: a webhook's items, or a sub-workflow's */
	input?: INodeExecutionData[];
	/** an earlier run to go on from at the node where it failed, as n8n's Retry button does; mode is then `retry` unless given: `manual` is *Execute step* */
	retryOf?: EngineRun;
	/** workflows that a test.executeWorkflow node may call, by id */
	workflows?: Record<string, WorkflowJson>;
	/** the execution is cancelled after this long; the running node isn't interrupted */
	timeoutMs?: number;
	/** called once, with a function that cancels the execution as the Stop button does */
	onStart?: (cancel: () => void) => void;
}

let executions = 0;

/**
 * Run workflow JSON through n8n-core's own engine, in this process, without a server.
 *
 *     const run = await runWorkflow({
 *       workflow: workflow(
 *         [node('Start', 'test.trigger', { items: [{ id: 1 }] }), node('Claim', CLAIM, {…}, { credentials })],
 *         chain('Start', 'Claim'),
 *       ),
 *       nodeTypes: { [CLAIM]: new IdempotencyClaim() },
 *       credentials: { ledger: {…} },
 *     });
 *     run.status; run.error; run.json('Claim', 0); run.counts('Claim'); run.hints('Claim');
 *
 * The test nodes are in ./nodes, the builders `workflow`, `node`, `chain` in ./workflowJson. Pinned data
 * counts in mode `manual` only, as in n8n. A workflow that fails gives a run with status `error`; it doesn't throw.
 */
export async function runWorkflow(options: RunOptions): Promise<EngineRun> {
	const mode = options.mode ?? (options.retryOf ? 'retry' : 'trigger');
	const executionId = options.executionId === null ? undefined : (options.executionId ?? nextExecutionId());
	const workflow = workflowOf(options);
	const subRuns: EngineRun[] = [];
	const additionalData = additionalDataOf(options.workflow, mode, executionId, options.credentials ?? {}, subWorkflows(options, subRuns));
	if (options.timeoutMs !== undefined) additionalData.executionTimeoutTimestamp = Date.now() + options.timeoutMs;
	const start = options.retryOf
		? retryStart(options.retryOf, workflow)
		: freshStart(startNodeOf(workflow, options.startNode), options.input, mode === 'manual' ? options.workflow.pinData : undefined);
	const running = new WorkflowExecute(additionalData, mode, start).processRunExecutionData(workflow);
	options.onStart?.(() => running.cancel());
	return new EngineRun(await running, executionId, subRuns);
}

function nextExecutionId(): string {
	executions += 1;
	return String(executions);
}

function workflowOf(options: RunOptions): Workflow {
	const { id = 'workflow-under-test', name = 'Workflow under test', settings = { executionOrder: 'v1' } } = options.workflow;
	return new Workflow({
		id,
		name,
		active: false,
		// Copied: the engine writes into them.
		nodes: structuredClone(options.workflow.nodes),
		connections: structuredClone(options.workflow.connections),
		nodeTypes: nodeTypesOf(options.nodeTypes ?? {}, { effects: options.effects ?? {}, code: options.code ?? {} }),
		settings,
	});
}

/** As n8n does: the called workflow runs by itself, and gives back what its last node put out, or its error. */
function subWorkflows(options: RunOptions, subRuns: EngineRun[]): IWorkflowExecuteAdditionalData['executeWorkflow'] {
	return async (info, _additionalData, { inputData }): Promise<ExecuteWorkflowData> => {
		const called = info.code ?? options.workflows?.[info.id ?? ''];
		if (!called) throw new Error(`Workflow ${info.id} was not given to the engine`);
		const run = await runWorkflow({
			...options,
			workflow: called as WorkflowJson,
			mode: 'integrated',
			executionId: undefined,
			retryOf: undefined,
			startNode: undefined,
			onStart: undefined,
			input: inputData,
		});
		subRuns.push(run, ...run.subRuns);
		if (run.error) throw run.error;
		const last = run.runData[run.run.data.resultData.lastNodeExecuted ?? '']?.at(-1);
		return { executionId: run.executionId ?? '', data: last?.data?.main ?? [] };
	};
}
