import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from './describe';

/** `test.wait`: sleeps `ms` milliseconds, as n8n's Wait does in process below 65 s. */
export const waitNode: INodeType = {
	description: describe('wait', [parameter('ms', 'number', 1)]),
	async execute(this: IExecuteFunctions) {
		const ms = this.getNodeParameter('ms', 0) as number;
		await new Promise((done) => setTimeout(done, ms));
		return [this.getInputData()];
	},
};
