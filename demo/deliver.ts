import { CLAIM, SEAL, runWorkflow } from '../test/support/engine';
import type { WorkflowJson } from '../test/support/engine';
import { IdempotencyClaim } from '../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { IdempotencySeal } from '../nodes/IdempotencySeal/IdempotencySeal.node';
import { httpRequestNode } from './standIns/httpRequest';
import { respondNode, type WebhookAnswer } from './standIns/respond';
import { stickyNoteNode, webhookItem, webhookNode } from './standIns/webhook';

export interface Order {
	orderId: string;
	amount: number;
	currency: string;
}

/** n8n's answer when an execution fails before it reached a Respond to Webhook node. */
const ERROR_IN_WORKFLOW: WebhookAnswer = { status: 500, headers: {}, body: { message: 'Error in workflow' } };

/** File name of the ledger that all deliveries of the demo share, in the engine's temporary user folder. */
const LEDGER = { store: 'embedded', embeddedFileName: 'demo-ledger.sqlite' };

/**
 * Deliver one order to a workflow's webhook: one execution in n8n's engine, in this process.
 * Resolves with what the sender is told.
 */
export async function deliver(workflow: WorkflowJson, order: Order): Promise<WebhookAnswer> {
	let answer: WebhookAnswer | undefined;
	await runWorkflow({
		workflow,
		mode: 'webhook',
		input: [webhookItem(order)],
		nodeTypes: {
			[CLAIM]: new IdempotencyClaim(),
			[SEAL]: new IdempotencySeal(),
			'n8n-nodes-base.webhook': webhookNode,
			'n8n-nodes-base.httpRequest': httpRequestNode,
			'n8n-nodes-base.respondToWebhook': respondNode((given) => (answer ??= given)),
			'n8n-nodes-base.stickyNote': stickyNoteNode,
		},
		credentials: { ledger: LEDGER },
	});
	return answer ?? ERROR_IN_WORKFLOW;
}
