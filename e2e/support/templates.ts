import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from '../../test/support/engine/workflowJson';
import { CREDENTIAL_TYPE, type CredentialReference } from './ledgers';

const folder = join(__dirname, '../../templates');

export const TEMPLATES = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** A template as it is after the user has chosen a ledger in each of our nodes. */
export function templateWith(file: string, ledger: CredentialReference): WorkflowJson {
	const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;
	// Import keeps it only by n8n's own command line.
	delete template.id;
	const nodes = template.nodes.map((node) =>
		node.credentials?.[CREDENTIAL_TYPE] ? { ...node, credentials: { ...node.credentials, [CREDENTIAL_TYPE]: ledger } } : node,
	);
	return { ...template, nodes };
}

export interface Adaptation {
	ledger: CredentialReference;
	/** texts to replace wherever they stand, such as the address of a destination or the ID of a sub-workflow */
	replace?: Record<string, string>;
	/** other changes, node by node */
	change?: (node: INode) => INode;
}

/** A template made ready to run: the user's ledger and addresses, on webhook paths of its own. */
export function readyTemplate(file: string, { ledger, replace = {}, change = (node) => node }: Adaptation): WorkflowJson {
	let text = JSON.stringify(templateWith(file, ledger));
	for (const [from, to] of Object.entries(replace)) {
		if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
		text = text.replaceAll(from, to);
	}
	const json = JSON.parse(text) as WorkflowJson;
	return { ...json, nodes: json.nodes.map((node) => change(onItsOwnPath(node))) };
}

function onItsOwnPath(node: INode): INode {
	if (node.type !== 'n8n-nodes-base.webhook') return node;
	return { ...node, webhookId: randomUUID(), parameters: { ...node.parameters, path: randomUUID() } };
}
