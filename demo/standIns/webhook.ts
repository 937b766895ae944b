import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { describe, parameter } from '../../test/support/engine/nodes/describe';

/** What a POST of a JSON body makes of n8n's Webhook node. */
export function webhookItem(body: object): INodeExecutionData {
	return { json: { headers: { 'content-type': 'application/json' }, params: {}, query: {}, body: structuredClone(body) as never } };
}

/** Stand-in for n8n's Webhook: the run is started with its item. */
export const webhookNode: INodeType = {
	description: describe('webhook', ['httpMethod', 'path', 'responseMode'].map((name) => parameter(name, 'string', '')), {
		group: ['trigger'],
		inputs: [],
		version: [1, 2, 2.1],
	}),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Sticky notes are nodes to n8n, too. */
export const stickyNoteNode: INodeType = {
	description: describe('stickyNote', [], { inputs: [], outputs: [] }),
	async execute() {
		return [[]];
	},
};
