import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

function split(context: IExecuteFunctions): [INodeExecutionData[], INodeExecutionData[]] {
	const yes: INodeExecutionData[] = [];
	const no: INodeExecutionData[] = [];
	context.getInputData().forEach((item, i) => {
		(context.getNodeParameter('condition', i) ? yes : no).push(item);
	});
	return [yes, no];
}

/** `test.if`: items whose `condition` (an expression, `={{ $json.error }}`) is truthy leave by output 0, others by 1. */
export const ifNode: INodeType = {
	description: describe('if', [parameter('condition', 'string', '')], { outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main] }),
	async execute(this: IExecuteFunctions) {
		return split(this);
	},
};

/** `test.filter`: drops items whose `condition` isn't truthy. */
export const filterNode: INodeType = {
	description: describe('filter', [parameter('condition', 'string', '')]),
	async execute(this: IExecuteFunctions) {
		return [split(this)[0]];
	},
};
