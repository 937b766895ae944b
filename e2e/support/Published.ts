import type { IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';

import type { WorkflowJson } from '../../test/support/engine/workflowJson';
import { webhookPath } from '../../scripts/n8n/exampleWorkflow.mjs';
import { n8n } from './instance';

export interface PostAnswer {
	status: number;
	headers: Headers;
	body: IDataObject;
}

/** One execution, as the executions list shows it. */
export class Execution {
	constructor(
		readonly id: string,
		readonly status: string,
		private readonly resultData: { runData: Record<string, ITaskData[]>; error?: IDataObject },
	) {}

	get error(): IDataObject | undefined {
		return this.resultData.error;
	}

	ran(node: string): boolean {
		return this.resultData.runData[node] !== undefined;
	}

	items(node: string, output = 0): INodeExecutionData[] {
		return (this.resultData.runData[node] ?? []).flatMap((task) => task.data?.main?.[output] ?? []);
	}

	json(node: string, output = 0): IDataObject[] {
		return this.items(node, output).map((item) => item.json);
	}

	/** Number of items on each output of a node; outputs after the last filled one may be missing. */
	counts(node: string): number[] {
		const outputs = this.resultData.runData[node]?.[0]?.data?.main ?? [];
		return outputs.map((items) => items?.length ?? 0);
	}

	/** How long the last run of a node took, in ms; the waits of Retry On Fail count. */
	duration(node: string): number {
		return this.resultData.runData[node]?.at(-1)?.executionTime ?? 0;
	}

	/** The error that stopped a node, of its last run. */
	nodeError(node: string): IDataObject | undefined {
		return this.resultData.runData[node]?.at(-1)?.error as IDataObject | undefined;
	}
}

/** A workflow that listens to its webhook. */
export class Published {
	private constructor(
		readonly id: string,
		readonly path: string,
	) {}

	static async create(workflow: WorkflowJson, name: string): Promise<Published> {
		const { id } = await n8n().createWorkflow({ ...workflow, name });
		await n8n().publishWorkflow(id);
		return new Published(id, webhookPath(workflow.nodes));
	}

	async post(body: unknown): Promise<PostAnswer> {
		return (await n8n().webhook(this.path, body)) as PostAnswer;
	}

	/** Posts, and waits for the execution that this makes. */
	async run(body: unknown): Promise<{ answer: PostAnswer; execution: Execution }> {
		const before = new Set((await n8n().listExecutions(this.id)).map(({ id }) => id));
		const answer = await this.post(body);
		const ended = await n8n().waitForExecutions(this.id, before.size + 1);
		const found = ended.find(({ id }) => !before.has(id));
		if (!found) throw new Error('The post made no execution');
		return { answer, execution: await readExecution(found.id) };
	}

	/** The Retry button of an execution; waits for what it starts. */
	async retry(executionId: string, options?: { loadWorkflow: boolean }): Promise<Execution> {
		const before = new Set((await n8n().listExecutions(this.id)).map(({ id }) => id));
		await n8n().retryExecution(executionId, options);
		const ended = await n8n().waitForExecutions(this.id, before.size + 1);
		const found = ended.find(({ id }) => !before.has(id));
		if (!found) throw new Error('The retry made no execution');
		return await readExecution(found.id);
	}
}

export async function readExecution(id: string): Promise<Execution> {
	const { status, data } = await n8n().waitForExecution(id);
	return new Execution(id, status, data.resultData);
}

/** The editor's Execute Workflow button, from the only trigger. */
export async function runManually(workflow: WorkflowJson, name: string): Promise<Execution> {
	const { id } = await n8n().createWorkflow({ ...workflow, name });
	const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
	const { executionId } = await n8n().runWorkflow(id, { triggerToStartFrom: { name: trigger?.name } });
	return await readExecution(executionId);
}
