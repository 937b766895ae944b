import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.trigger`: emits `items` (JSON objects); without them, the input the run was started with. */
export const triggerNode: INodeType = {
	description: describe('trigger', [parameter('items', 'json', '')], { group: ['trigger'], inputs: [] }),
	async execute(this: IExecuteFunctions) {
		const items = this.getNodeParameter('items', 0) as IDataObject[] | string;
		if (!Array.isArray(items)) return [this.getInputData()];
		return [items.map((json) => ({ json: structuredClone(json) }))];
	},
};
