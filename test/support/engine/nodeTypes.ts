import { NodeConnectionTypes, type INodeType, type INodeTypes, type IVersionedNodeType } from 'n8n-workflow';

import { testNodeTypes, type Scripts } from './nodes';

/** Node instances by full type name, for example `n8n-nodes-idempotency.idempotencyClaim`. */
export type NodeTypeMap = Record<string, INodeType | IVersionedNodeType>;

/** The node types of a run: the test nodes, those given, and a tool variant of each that may be used as one. */
export function nodeTypesOf(given: NodeTypeMap, scripts: Scripts): INodeTypes {
	const known: NodeTypeMap = { ...testNodeTypes(scripts), ...given };
	const find = (type: string): INodeType | IVersionedNodeType => {
		const found = Object.hasOwn(known, type) ? known[type] : undefined;
		if (found) return found;
		const base = type.endsWith('Tool') ? type.slice(0, -'Tool'.length) : '';
		if (Object.hasOwn(known, base)) return (known[type] = asTool(known[base]));
		throw new Error(`No node type ${type} was given to the engine`);
	};
	return {
		getByName: find,
		getByNameAndVersion: (type, version) => {
			const found = find(type);
			return 'nodeVersions' in found ? found.getNodeType(version) : found;
		},
		getKnownTypes: () => Object.fromEntries(Object.keys(known).map((type) => [type, { className: type, sourcePath: '' }])),
	};
}

/** As n8n's convertNodeToAiTool does: same code, no main input, an `ai_tool` output, one more parameter. */
function asTool(base: INodeType | IVersionedNodeType): INodeType {
	const nodeType = 'nodeVersions' in base ? base.getNodeType() : base;
	if (!nodeType.description.usableAsTool) throw new Error(`${nodeType.description.name} isn't usable as a tool`);
	const tool = Object.create(nodeType) as INodeType;
	tool.description = {
		...nodeType.description,
		name: `${nodeType.description.name}Tool`,
		displayName: `${nodeType.description.displayName} Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: undefined,
		properties: [
			...nodeType.description.properties,
			{ displayName: 'Description', name: 'toolDescription', type: 'string', default: '' },
		],
	};
	return tool;
}
