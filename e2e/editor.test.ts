import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { exampleWorkflow } from '../scripts/n8n/exampleWorkflow.mjs';
import { Editor } from './support/Editor';
import { n8n } from './support/instance';
import { createLedger, ledgerData, postgresAt, type CredentialReference } from './support/ledgers';
import { lookup } from './support/nodes';

/** In the README. `UPDATE_SCREENSHOTS=1 npm run e2e -- editor` makes it anew; look at it before it is committed. */
const PICTURE = join(__dirname, '../docs/images/example-workflow.png');

const OURS = ['Charge Once', 'Record Outcome'];

let ledger: CredentialReference;
let id: string;
let editor: Editor;

beforeAll(async () => {
	ledger = await createLedger('Embedded ledger', ledgerData('embedded'));
	const example = exampleWorkflow({ credential: ledger, paymentsUrl: 'https://payments.example.com/charges' });
	id = (await n8n().createWorkflow(example)).id;
	editor = await Editor.open();
});
afterEach(() => expect(editor.takeComplaintsAboutUs()).toEqual([]));
afterAll(async () => await editor.close());

async function expectTexts(...texts: string[]): Promise<void> {
	const shown = await editor.text();
	expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
}

describe('the example workflow in the editor', () => {
	it.each(['light', 'dark'] as const)('%s: all nodes with their icons, subtitles and whole output labels', async (scheme) => {
		await editor.look(scheme);
		await editor.openWorkflow(id);
		expect(await editor.nodeNames()).toEqual(expect.arrayContaining(OURS));
		expect(await editor.nodesWithProblems()).toEqual([]);
		expect(await editor.allIconsLoaded()).toBe(true);
		await expectTexts('Claimed', 'Done Before', 'In Progress', 'Review', 'Sealed', 'Retry', 'Failed');
		await expectTexts('claim: charge_customer', 'seal: detect outcome');
		const picture = await editor.screenshot(`example-${scheme}`);
		expect(statSync(picture).size).toBeGreaterThan(20_000);
		if (scheme === 'light' && process.env.UPDATE_SCREENSHOTS) {
			mkdirSync(dirname(PICTURE), { recursive: true });
			copyFileSync(picture, PICTURE);
		}
	});

	it('shows the parameters of Claim and Seal', async () => {
		await editor.look('light', 1000);
		await editor.openWorkflow(id);
		await editor.openNode('Charge Once');
		await editor.screenshot('claim');
		await expectTexts('Operation', 'Business ID', 'Fields That Must Not Change', 'Lease Duration (Minutes)', 'When Lease Expires');
		await editor.closeNode();
		await editor.openNode('Record Outcome');
		await editor.screenshot('seal');
		await expectTexts('Operation', 'Outcome', 'External ID', 'Result to Store', 'Result Fields');
	});

	it('shows the parameters of Lookup', async () => {
		const find = lookup({ operation: 'getMany' }, { ledger }, 'Review Queue');
		const { id: own } = await n8n().createWorkflow({ name: 'Review queue', nodes: [find], connections: {}, settings: {} });
		await editor.openWorkflow(own);
		expect(await editor.nodesWithProblems()).toEqual([]);
		await editor.openNode('Review Queue');
		await editor.screenshot('lookup');
		await expectTexts('Operation', 'Return All', 'Limit', 'Filters');
	});

	it('the nodes are found by what people look for', async () => {
		await editor.look('light');
		await editor.openWorkflow(id);
		await editor.openNodePanel();
		for (const words of ['idempotency', 'duplicate', 'double charge']) {
			const offered = await editor.searchNodes(words);
			await editor.screenshot(`search-${words.replace(' ', '-')}`);
			expect({ words, offered }).toEqual({ words, offered: expect.stringMatching(/Idempotency Claim/) });
		}
		const offered = await editor.searchNodes('idempotency');
		for (const name of ['Idempotency Claim', 'Idempotency Seal', 'Idempotency Lookup']) expect(offered).toContain(name);
	});
});

describe('the credential dialog', () => {
	it('tests a good ledger by itself', async () => {
		await editor.look('light', 1000);
		await editor.openCredential(ledger.id);
		await editor.screenshot('credential');
		await expectTexts('Connection tested successfully');
	});

	it('says what is wrong with a bad one', async () => {
		const bad = await createLedger('Nobody listens', postgresAt('postgresql://ledger@127.0.0.1:1/ledger'));
		await editor.openCredential(bad.id);
		await editor.page.getByText('More details').click();
		await editor.screenshot('credential-bad');
		await expectTexts('127.0.0.1:1', 'Check that the server is running');
	});
});
