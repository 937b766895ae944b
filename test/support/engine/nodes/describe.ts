import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

/** A node description with the parts that are the same for all test nodes filled in. */
export function describe(name: string, parameters: INodeProperties[] = [], more: Partial<INodeTypeDescription> = {}): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: parameters,
		...more,
	};
}

/** n8n drops parameters that a node doesn't declare, so each test node declares its own. */
export function parameter(name: string, type: INodeProperties['type'], value: INodeProperties['default']): INodeProperties {
	return { displayName: name, name, type, default: value };
}
