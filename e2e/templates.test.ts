import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { Editor } from './support/Editor';
import { n8n } from './support/instance';
import { createLedger, ledgerData, type CredentialReference } from './support/ledgers';
import { TEMPLATES, templateWith } from './support/templates';

const STICKY = 'n8n-nodes-base.stickyNote';

let ledger: CredentialReference;
let types: INodeTypeDescription[];
let editor: Editor;

beforeAll(async () => {
	ledger = await createLedger('Templates', ledgerData('embedded'));
	types = (await n8n().request('GET', '/types/nodes.json')) as INodeTypeDescription[];
	editor = await Editor.open();
});
afterAll(async () => await editor.close());

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
		const workflow = templateWith(file, ledger);
		const { id } = await n8n().createWorkflow(workflow);
		await editor.openWorkflow(id);
		const names = workflow.nodes.filter(({ type }) => type !== STICKY).map(({ name }) => name);
		expect((await editor.nodeNames()).sort()).toEqual(names.sort());
		expect(await editor.nodesWithProblems()).toEqual([]);
		expect(editor.takeComplaintsAboutUs()).toEqual([]);
	});
});

it('a node that is not installed, and one of ours with a parameter missing, would be noticed', async () => {
	const nodes = [
		{ id: '1', name: 'Strange', type: 'n8n-nodes-idempotency.idempotencyNothing', typeVersion: 1, position: [0, 0], parameters: {} },
		{ id: '2', name: 'Empty', type: 'n8n-nodes-idempotency.idempotencyClaim', typeVersion: 1, position: [200, 0], parameters: {} },
	];
	const { id } = await n8n().createWorkflow({ name: 'Strange', nodes, connections: {}, settings: {} });
	await editor.openWorkflow(id);
	expect((await editor.nodesWithProblems()).sort()).toEqual(['Empty', 'Strange']);
});
