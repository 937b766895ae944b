import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describe, parameter } from '../../test/support/engine/nodes/describe';

/** What the caller of the webhook is told. */
export interface WebhookAnswer {
	status: number;
	headers: Record<string, string>;
	body: IDataObject;
}

/** Stand-in for n8n's Respond to Webhook: hands the answer over instead of writing it to a socket. */
export function respondNode(answer: (answer: WebhookAnswer) => void): INodeType {
	const description = describe(
		'respondToWebhook',
		[parameter('respondWith', 'string', 'json'), parameter('responseBody', 'json', ''), parameter('options', 'json', {} as never)],
		{ version: [1.5] },
	);
	return {
		description,
		async execute(this: IExecuteFunctions) {
			const options = this.getNodeParameter('options', 0) as {
				responseCode?: number;
				responseHeaders?: { entries?: Array<{ name: string; value: unknown }> };
			};
			const entries = options.responseHeaders?.entries ?? [];
			answer({
				status: options.responseCode ?? 200,
				headers: Object.fromEntries(entries.map(({ name, value }) => [name.toLowerCase(), String(value)])),
				body: this.getNodeParameter('responseBody', 0) as IDataObject,
			});
			return [this.getInputData()];
		},
	};
}
