import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { describe } from './describe';

/** What a Code node returns: items, or plain JSON objects; without pairedItem n8n guesses the links by itself. */
export type CodeScript = (items: INodeExecutionData[], context: IExecuteFunctions) => INodeExecutionData[];

/** `test.code`: a Code node in mode *Run Once for All Items*, with the script given for its name. */
export function codeNode(scripts: Record<string, CodeScript>): INodeType {
	return {
		description: describe('code'),
		async execute(this: IExecuteFunctions) {
			const script = scripts[this.getNode().name];
			if (!script) throw new Error(`No code was given for ${this.getNode().name}`);
			return [script(this.getInputData(), this)];
		},
	};
}
