import { readFileSync } from 'node:fs';

const template = new URL('../../templates/guard-an-http-create.json', import.meta.url);
const CREDENTIAL_TYPE = 'idempotencyLedgerApi';
/** What the template has in place of a payment service, or what an earlier start put there. */
const PAYMENT_SERVICE = /^https:\/\/payments\.example\.com\/charges$|^http:\/\/127\.0\.0\.1:\d+\/charges$/;

/**
 * The template with its placeholders filled in: the ledger's credential, the payment service's address.
 *
 * @param {{credential: {id: string, name: string}, paymentsUrl: string}} options
 */
export function exampleWorkflow({ credential, paymentsUrl }) {
	const workflow = JSON.parse(readFileSync(template, 'utf8'));
	for (const node of workflow.nodes) {
		if (node.credentials?.[CREDENTIAL_TYPE]) {
			node.credentials[CREDENTIAL_TYPE] = { id: credential.id, name: credential.name };
		}
	}
	return { ...workflow, nodes: withPaymentService(workflow.nodes, paymentsUrl) };
}

/**
 * @param {any[]} nodes of the example workflow
 * @param {string} paymentsUrl
 */
export function withPaymentService(nodes, paymentsUrl) {
	return nodes.map((node) => {
		const isOurs = PAYMENT_SERVICE.test(node.parameters?.url ?? '');
		return isOurs ? { ...node, parameters: { ...node.parameters, url: paymentsUrl } } : node;
	});
}

/**
 * Path of the webhook that starts a workflow.
 *
 * @param {any[]} nodes
 * @returns {string}
 */
export function webhookPath(nodes) {
	return nodes.find(({ type }) => type === 'n8n-nodes-base.webhook').parameters.path;
}
