import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowJson } from '../../test/support/engine/workflowJson';
import { CREDENTIAL_TYPE, type CredentialReference } from './ledgers';

const folder = join(__dirname, '../../templates');

export const TEMPLATES = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** A template as it is after the user has chosen a ledger in each of our nodes. */
export function templateWith(file: string, ledger: CredentialReference): WorkflowJson {
	const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;
	const nodes = template.nodes.map((node) =>
		node.credentials?.[CREDENTIAL_TYPE] ? { ...node, credentials: { ...node.credentials, [CREDENTIAL_TYPE]: ledger } } : node,
	);
	return { ...template, nodes };
}
