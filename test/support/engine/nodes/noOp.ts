import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe } from './describe';

/** `test.noOp`, `test.respond`: hand the items on as they are. */
export const noOpNode: INodeType = {
	description: describe('noOp'),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};
