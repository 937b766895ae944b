import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.executeWorkflow`: calls `workflowId`; `mode` is `once` (all items together) or `each`. */
export const executeWorkflowNode: INodeType = {
	description: describe('executeWorkflow', [parameter('workflowId', 'string', ''), parameter('mode', 'string', 'once')]),
	async execute(this: IExecuteFunctions) {
		const id = this.getNodeParameter('workflowId', 0) as string;
		const items = this.getInputData();
		const outputs: INodeExecutionData[][] = [];
		if (this.getNodeParameter('mode', 0) === 'each') {
			for (const [i, item] of items.entries()) {
				const { data } = await this.executeWorkflow({ id }, [item]);
				data.forEach((output, o) => {
					(outputs[o] ??= []).push(...(output ?? []).map((one) => ({ ...one, pairedItem: { item: i } })));
				});
			}
			return outputs;
		}
		const { data } = await this.executeWorkflow({ id }, items);
		const all = items.map((_, item) => ({ item }));
		for (const output of data) {
			output?.forEach((item, i) => {
				// As n8n does: links made inside the called workflow stay, though they mean its own items.
				item.pairedItem ??= output.length === items.length ? { item: i } : all;
			});
		}
		return data.map((output) => output ?? []);
	},
};

/** `test.executeWorkflowTrigger`: *When Executed by Another Workflow*, hands on what the caller gave. */
export const subTriggerNode: INodeType = {
	description: describe('executeWorkflowTrigger', [], { group: ['trigger'], inputs: [] }),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};
