import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.splitOut`: one item for each element of `field`, nothing else kept. */
export const splitOutNode: INodeType = {
	description: describe('splitOut', [parameter('field', 'string', 'lines')]),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().flatMap((item, i) => {
				const elements = item.json[this.getNodeParameter('field', i) as string];
				return (Array.isArray(elements) ? (elements as IDataObject[]) : []).map((element) => ({
					json: typeof element === 'object' ? { ...element } : { value: element },
					pairedItem: { item: i },
				}));
			}),
		];
	},
};
