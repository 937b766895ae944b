import { exampleWorkflow, withPaymentService } from './exampleWorkflow.mjs';
import { LOCAL_OWNER, N8nClient } from './N8nClient.mjs';

const TYPE = 'idempotencyLedgerApi';
const NAME = 'Embedded ledger';

/**
 * Gives an n8n what a newcomer needs: the owner's account, a tested *Embedded ledger* credential and the
 * published example workflow. What is there already stays as the user left it.
 *
 * @param {{url: string, paymentsUrl: string, onProgress: (line: string) => void}} options
 * @returns {Promise<{client: N8nClient, workflow: import('./N8nClient.mjs').Workflow}>}
 */
export async function furnish({ url, paymentsUrl, onProgress }) {
	const client = new N8nClient(url);
	await client.ensureOwner(LOCAL_OWNER);
	const credential = await ensureCredential(client, onProgress);
	const workflow = await ensureWorkflow(client, credential, paymentsUrl, onProgress);
	return { client, workflow };
}

/**
 * @param {N8nClient} client
 * @param {(line: string) => void} onProgress
 */
async function ensureCredential(client, onProgress) {
	const stored = (await client.listCredentials()).find(({ type, name }) => type === TYPE && name === NAME);
	const settings = { name: NAME, type: TYPE, data: { store: 'embedded' } };
	const { status, message } = await client.testCredential(settings);
	if (status !== 'OK') throw new Error(`The credential "${NAME}" failed its test: ${message}`);
	onProgress(`Credential "${NAME}": ${message}`);
	return stored ?? (await client.createCredential(settings));
}

/**
 * @param {N8nClient} client
 * @param {import('./N8nClient.mjs').Credential} credential
 * @param {string} paymentsUrl
 * @param {(line: string) => void} onProgress
 */
async function ensureWorkflow(client, credential, paymentsUrl, onProgress) {
	const example = exampleWorkflow({ credential, paymentsUrl });
	const known = (await client.listWorkflows()).find(({ name }) => name === example.name);
	if (known) {
		const { nodes } = await client.getWorkflow(known.id);
		const nodesNow = withPaymentService(nodes, paymentsUrl);
		// The payment service may have got another port this time.
		if (JSON.stringify(nodes) !== JSON.stringify(nodesNow)) {
			await client.updateWorkflow(known.id, { nodes: nodesNow });
			await client.publishWorkflow(known.id);
		}
		onProgress(`Workflow "${example.name}": as you left it`);
		return await client.getWorkflow(known.id);
	}
	const { id } = await client.createWorkflow(example);
	await client.publishWorkflow(id);
	onProgress(`Workflow "${example.name}": imported and published`);
	return await client.getWorkflow(id);
}
