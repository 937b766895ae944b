import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.set`: `values` are put on each item; with `keepOnlySet` nothing else stays. */
export const setNode: INodeType = {
	description: describe('set', [parameter('values', 'json', ''), parameter('keepOnlySet', 'boolean', false)]),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().map((item, i) => {
				const values = this.getNodeParameter('values', i) as IDataObject;
				const kept = this.getNodeParameter('keepOnlySet', i) === true ? {} : item.json;
				return { json: { ...kept, ...values }, binary: item.binary, pairedItem: { item: i } };
			}),
		];
	},
};
