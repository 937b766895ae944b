import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IPairedItemData,
} from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.merge`: two inputs; `mode` is `append`, `combine` (by position, input 2 wins) or `choose` (input 2 only). */
export const mergeNode: INodeType = {
	description: describe('merge', [parameter('mode', 'string', 'append')], {
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		requiredInputs: 1,
	}),
	async execute(this: IExecuteFunctions) {
		const inputs = [0, 1].map((input) => inputItems(this, input));
		const mode = this.getNodeParameter('mode', 0) as string;
		if (mode === 'choose') return [inputs[1]];
		if (mode === 'append') return [inputs.flat()];
		return [
			inputs[0].slice(0, inputs[1].length).map((first, i) => ({
				json: { ...first.json, ...inputs[1][i].json },
				pairedItem: [first.pairedItem, inputs[1][i].pairedItem] as IPairedItemData[],
			})),
		];
	},
};

function inputItems(context: IExecuteFunctions, input: number): INodeExecutionData[] {
	try {
		return context.getInputData(input) ?? [];
	} catch {
		return []; // that branch didn't run
	}
}
