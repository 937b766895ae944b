import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

import { describe, parameter } from './describe';

/**
 * `test.agent`: an AI agent without a model. It calls `calls` ([{tool, input}]), tool nodes connected to
 * it, through the engine as n8n's agent does, and puts out one item with the answers.
 */
export const agentNode: INodeType = {
	description: describe('agent', [parameter('calls', 'json', '')], {
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
	}),
	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		const calls = this.getNodeParameter('calls', 0) as Array<{ tool: string; input: IDataObject }>;
		const answers = response?.actionResponses ?? [];
		if (answers.length === 0 && calls.length > 0) {
			return {
				actions: calls.map(({ tool, input }, i) => ({
					actionType: 'ExecutionNodeAction' as const,
					nodeName: tool,
					input,
					type: NodeConnectionTypes.AiTool,
					id: `call-${i}`,
					metadata: { itemIndex: 0 },
				})),
				metadata: {},
			};
		}
		const json = { answers: answers.map(({ data }) => data.data?.ai_tool?.[0]?.map((item) => item.json) ?? null) };
		return [[{ json: json as IDataObject, pairedItem: { item: 0 } }]];
	},
};
