import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.aggregate`: all items into one list `destination`, linked to every one of them. */
export const aggregateNode: INodeType = {
	description: describe('aggregate', [parameter('destination', 'string', 'data')]),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const destination = this.getNodeParameter('destination', 0) as string;
		return [[{ json: { [destination]: items.map((item) => item.json) }, pairedItem: items.map((_, item) => ({ item })) }]];
	},
};
