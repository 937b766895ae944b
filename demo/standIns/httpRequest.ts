import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType, IRequestOptions, JsonObject } from 'n8n-workflow';

import { describe, parameter } from '../../test/support/engine/nodes/describe';

/**
 * Stand-in for n8n's HTTP Request: real requests, by the engine's own request helper, which is what
 * the real node uses; so time-outs, resets and refusals look the same to Seal. Only what the template
 * sets is known here: method, URL, headers, a JSON body, a time-out.
 */
export const httpRequestNode: INodeType = {
	description: describe(
		'httpRequest',
		[
			parameter('method', 'string', 'GET'),
			parameter('url', 'string', ''),
			parameter('sendHeaders', 'boolean', false),
			parameter('headerParameters', 'json', {} as never),
			parameter('sendBody', 'boolean', false),
			parameter('specifyBody', 'string', 'json'),
			parameter('jsonBody', 'json', ''),
			parameter('options', 'json', {} as never),
		],
		{ version: [4.2] },
	),
	async execute(this: IExecuteFunctions) {
		const output: INodeExecutionData[] = [];
		for (const itemIndex of this.getInputData().keys()) {
			output.push({ json: await answerOf(this, itemIndex), pairedItem: { item: itemIndex } });
		}
		return [output];
	},
};

async function answerOf(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	try {
		return (await context.helpers.request(requestOf(context, itemIndex))) as IDataObject;
	} catch (error) {
		if (!context.continueOnFail()) return stop(context, error as JsonObject, itemIndex);
		const { message, name, code, status, cause } = error as Record<string, string | number | undefined> & { cause?: IDataObject };
		return { error: { message, name, code: code ?? cause?.code, status } };
	}
}

function stop(context: IExecuteFunctions, error: JsonObject, itemIndex: number): never {
	throw new NodeApiError(context.getNode(), error, { itemIndex });
}

function requestOf(context: IExecuteFunctions, itemIndex: number): IRequestOptions {
	const given = <Value>(name: string) => context.getNodeParameter(name, itemIndex) as Value;
	const headers = given<{ parameters?: Array<{ name: string; value: string }> }>('headerParameters').parameters ?? [];
	return {
		method: given<'POST'>('method'),
		uri: given<string>('url'),
		headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
		body: given<IDataObject>('jsonBody'),
		json: true,
		timeout: given<{ timeout?: number }>('options').timeout,
	};
}
