import { join } from 'node:path';

import { node24Env } from '../withNode24.mjs';

/**
 * n8n's environment: nothing of the user's own n8n, of npm or of Jest gets in (under NODE_ENV=test
 * n8n behaves differently), and n8n talks to nobody outside.
 *
 * @param {{userFolder: string, port: number, brokerPort: number, env?: Record<string, string>}} options
 * @returns {NodeJS.ProcessEnv}
 */
export function n8nEnvironment({ userFolder, port, brokerPort, env = {} }) {
	const foreign = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|GENERIC_|CREDENTIALS_|npm_|JEST_|NODE_ENV$|NODE_OPTIONS$)/i;
	const clean = Object.fromEntries(Object.entries(node24Env()).filter(([name]) => !foreign.test(name)));
	const off = ['DIAGNOSTICS', 'VERSION_NOTIFICATIONS', 'TEMPLATES', 'PERSONALIZATION', 'HIRING_BANNER'];
	return {
		...clean,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Main and workers have to agree on it. It guards nothing but this local n8n.
		N8N_ENCRYPTION_KEY: 'n8n-nodes-idempotency-local',
		N8N_SECURE_COOKIE: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		// The editor would ask n8n's servers for the list of verified packages.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		...Object.fromEntries(off.map((name) => [`N8N_${name}_ENABLED`, 'false'])),
		...env,
	};
}

/**
 * Where n8n looks for installed community packages.
 *
 * @param {string} userFolder
 */
export function communityPackages(userFolder) {
	return join(userFolder, '.n8n', 'nodes', 'node_modules');
}
