import { N8nClient } from '../../scripts/n8n/N8nClient.mjs';

/** The n8n of this test run, logged in as its owner. */
export function n8n(): N8nClient {
	const { E2E_N8N_URL, E2E_N8N_COOKIE } = process.env;
	if (!E2E_N8N_URL || !E2E_N8N_COOKIE) throw new Error('Run these tests by "npm run e2e"');
	const client = new N8nClient(E2E_N8N_URL);
	client.cookie = E2E_N8N_COOKIE;
	return client;
}
