import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import type { WorkflowJson } from '../test/support/engine/workflowJson';
import { Editor } from './support/Editor';
import { n8n } from './support/instance';
import { createLedger, ledgerData, type CredentialReference } from './support/ledgers';
import { TEMPLATES, templateWith } from './support/templates';

/** In docs/patterns.md. `UPDATE_SCREENSHOTS=1 npm run e2e -- templates.test` makes them anew; look at them before they are committed. */
const PICTURES = join(__dirname, '../docs/images/templates');
const STICKY = 'n8n-nodes-base.stickyNote';

let ledger: CredentialReference;
/** What else the templates need, by credential type: the user chooses these as well. */
const others = new Map<string, CredentialReference>();
let types: INodeTypeDescription[];
let editor: Editor;

beforeAll(async () => {
	ledger = await createLedger('Templates', ledgerData('embedded'));
	for (const [type, data] of Object.entries({ smtp: { host: 'mail.example.com' }, openAiApi: { apiKey: 'none' } })) {
		others.set(type, await n8n().createCredential({ name: `Templates ${type}`, type, data }));
	}
	types = (await n8n().request('GET', '/types/nodes.json')) as INodeTypeDescription[];
	editor = await Editor.open();
});
afterAll(async () => await editor.close());

/** The template with a credential chosen wherever one has to be. */
function furnished(file: string): WorkflowJson {
	const template = templateWith(file, ledger);
	const nodes = template.nodes.map((node) => {
		const needed = typeOf(node)?.credentials?.find(({ name }) => others.has(name));
		const { id, name } = (needed && others.get(needed.name)) ?? {};
		return needed && id ? { ...node, credentials: { [needed.name]: { id, name: name ?? '' } } } : node;
	});
	return { ...template, nodes };
}

function typeOf({ type, typeVersion }: INode): INodeTypeDescription | undefined {
	return types.find(({ name, version }) => name === type && [version].flat().includes(typeVersion));
}

describe.each(TEMPLATES)('templates/%s', (file) => {
	it('knows all its nodes, and sets only parameters that they have', () => {
		for (const node of templateWith(file, ledger).nodes) {
			const type = typeOf(node);
			expect({ node: node.name, isKnown: type !== undefined }).toEqual({ node: node.name, isKnown: true });
			const declared = new Set(type?.properties.map(({ name }) => name));
			const unknown = Object.keys(node.parameters).filter((name) => !declared.has(name));
			expect({ node: node.name, unknown }).toEqual({ node: node.name, unknown: [] });
		}
	});

	it('misses no parameter, by the rules that the editor uses', () => {
		for (const node of templateWith(file, ledger).nodes) {
			const type = typeOf(node) as INodeTypeDescription;
			expect({ node: node.name, issues: NodeHelpers.getNodeParametersIssues(type.properties, node, type) }).toEqual({ node: node.name, issues: null });
		}
	});

	it('imports, and opens in the editor without a warning', async () => {
		const workflow = furnished(file);
		const { id } = await n8n().createWorkflow(workflow);
		await editor.openWorkflow(id);
		const names = workflow.nodes.filter(({ type }) => type !== STICKY).map(({ name }) => name);
		expect((await editor.nodeNames()).sort()).toEqual(names.sort());
		expect(await editor.nodesWithProblems(/./)).toEqual([]);
		expect(editor.takeComplaintsAboutUs()).toEqual([]);
		const name = file.replace(/\.json$/, '');
		const picture = await editor.screenshotOfCanvas(name);
		if (process.env.UPDATE_SCREENSHOTS) {
			mkdirSync(PICTURES, { recursive: true });
			copyFileSync(picture, join(PICTURES, `${name}.png`));
		}
	});
});

it('a node that is not installed, one of ours with a parameter missing, and a missing credential would be noticed', async () => {
	const nodes = [
		{ id: '1', name: 'Strange', type: 'n8n-nodes-idempotency.idempotencyNothing', typeVersion: 1, position: [0, 0], parameters: {} },
		{ id: '2', name: 'Empty', type: 'n8n-nodes-idempotency.idempotencyClaim', typeVersion: 1, position: [200, 0], parameters: {} },
		{ id: '3', name: 'Mail', type: 'n8n-nodes-base.emailSend', typeVersion: 2.1, position: [400, 0], parameters: { fromEmail: 'a@example.com', toEmail: 'b@example.com' } },
	];
	const { id } = await n8n().createWorkflow({ name: 'Strange', nodes, connections: {}, settings: {} });
	await editor.openWorkflow(id);
	expect((await editor.nodesWithProblems()).sort()).toEqual(['Empty', 'Strange']);
	expect((await editor.nodesWithProblems(/./)).sort()).toEqual(['Empty', 'Mail', 'Strange']);
});
