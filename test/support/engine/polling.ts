import './environment';

import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeExecutionData, INodeType, WorkflowExecuteMode } from 'n8n-workflow';

import { additionalDataOf } from './additionalData';
import type { CredentialMap } from './credentials';
import { nodeTypesOf } from './nodeTypes';
import { workflow as workflowJson } from './workflowJson';

/**
 * A polling trigger in an active workflow, with n8n-core's own context. What n8n does around it is
 * restated: the static data lives in the process, and is stored when a poll gives items (before the
 * execution begins) and after the activation, of which the first poll is part.
 */
export class PolledNode {
	private workflow: Workflow;
	private stored = '{}';

	constructor(
		private readonly type: INodeType,
		private readonly node: INode,
		private readonly credentials: CredentialMap,
	) {
		this.workflow = this.load();
	}

	/** The first poll of an activation; what n8n stores afterwards survives a restart. */
	async activate(): Promise<IDataObject[]> {
		this.workflow = this.load();
		const items = await this.poll();
		this.store();
		return items;
	}

	/** One scheduled poll. JSON of its items; none when it returned null. */
	async poll(): Promise<IDataObject[]> {
		const data = await this.call('trigger');
		// n8n begins an execution for any answer but null, also an empty one.
		if (data !== null && (data[0] ?? []).length === 0) throw new Error('The poll gave an answer without an item');
		if (data !== null) this.store();
		return (data?.[0] ?? []).map(({ json }) => json);
	}

	/** A poll whose items n8n never got to store anything of: the process died. */
	async pollAndDie(): Promise<void> {
		await this.call('trigger');
		this.restart();
	}

	/** The editor's Fetch Test Event. */
	async test(): Promise<IDataObject[]> {
		return ((await this.call('manual'))?.[0] ?? []).map(({ json }) => json);
	}

	/** The process ends and begins anew: only what n8n stored is left. */
	restart(): void {
		this.workflow = this.load();
	}

	/** The static data of the node, as it is in the process. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.getStaticData('node', this.node))) as IDataObject;
	}

	set staticData(data: IDataObject) {
		Object.assign(this.workflow.getStaticData('node', this.node), data);
	}

	set parameters(parameters: INode['parameters']) {
		this.node.parameters = parameters;
		this.store();
		this.restart();
	}

	private async call(mode: WorkflowExecuteMode): Promise<INodeExecutionData[][] | null> {
		const json = workflowJson([this.node], []);
		const additionalData = additionalDataOf(json, mode, undefined, this.credentials, async () => {
			throw new Error('A trigger calls no workflow');
		});
		const node = this.workflow.getNode(this.node.name)!;
		const context = new PollContext(this.workflow, node, additionalData, mode, 'activate');
		return (await this.type.poll!.call(context)) ?? null;
	}

	private store(): void {
		this.stored = JSON.stringify(this.workflow.staticData);
	}

	private load(): Workflow {
		return new Workflow({
			id: 'workflow-under-test',
			name: 'Workflow under test',
			active: true,
			nodes: [structuredClone(this.node)],
			connections: {},
			nodeTypes: nodeTypesOf({ [this.node.type]: this.type }, { effects: {}, code: {} }),
			settings: {},
			staticData: JSON.parse(this.stored) as IDataObject,
		});
	}
}
