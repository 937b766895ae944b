import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import { n8n } from '../support/instance';
import { createLedger, ledgerData } from '../support/ledgers';
import { chain, node, webhook, workflow } from '../support/nodes';
import { PretendModel } from '../support/PretendModel';
import { Published, type Execution } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

let payments: Sink;
let model: PretendModel;
/** calls the sub-workflow as any workflow may */
let caller: Published;
/** the agent, behind a webhook in place of the chat */
let agent: Published;

beforeAll(async () => {
	payments = await Sink.start();
	model = await PretendModel.start();
	const ledger = await createLedger('Agent tool', ledgerData('embedded'));
	const openAi = await n8n().createCredential({ name: 'Pretend model', type: 'openAiApi', data: { apiKey: 'none', url: model.url } });
	const charge = readyTemplate('agent-charge-tool-2-charge.json', { ledger, replace: { 'https://payments.example.com': payments.url } });
	const { id: chargeId } = await n8n().createWorkflow(charge);
	await n8n().publishWorkflow(chargeId);

	const template = readyTemplate('agent-charge-tool-1-agent.json', {
		ledger,
		replace: { agentTool2Charge: chargeId },
		change: (one) => (one.name === 'Chat Model' ? { ...one, credentials: { openAiApi: { id: openAi.id, name: openAi.name } } } : one),
	});
	agent = await Published.create(behindWebhook(template.nodes, template), 'Agent');

	const inputs = { mappingMode: 'defineBelow', value: { orderId: '={{ $json.body.orderId }}', amount: '={{ $json.body.amount }}', currency: 'EUR' }, schema: [] };
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', { workflowId: { __rl: true, mode: 'id', value: chargeId }, workflowInputs: inputs, options: {} } as never, { typeVersion: 1.4 });
	caller = await Published.create(workflow([webhook(), call], chain('Webhook', 'Call')), 'Caller of the tool');
});
afterAll(async () => {
	await payments.stop();
	await model.stop();
});

function behindWebhook(nodes: INode[], template: ReturnType<typeof readyTemplate>) {
	const chat = nodes.find(({ type }) => type === CHAT) as INode;
	const trigger = { ...webhook(), name: chat.name };
	const changed = nodes.map((one) => {
		if (one === chat) return trigger;
		return one.name === 'Charging Agent' ? { ...one, parameters: { ...one.parameters, promptType: 'define', text: '={{ $json.body.text }}' } } : one;
	});
	return { ...template, nodes: changed };
}

const charges = (orderId: string) => payments.at('/charges').filter(({ body }) => body.orderId === orderId).length;
const chargeOf = (orderId: string, amount = 4990) => ({ tool: 'Charge_Customer', input: { orderId, amount, currency: 'EUR' } });

async function chat(): Promise<Execution> {
	const { execution } = await agent.run({ text: 'Charge the order' });
	expect({ status: execution.status, error: execution.error }).toEqual({ status: 'success', error: undefined });
	return execution;
}

it('called twice at once: one charge, and both callers get it', async () => {
	const orderId = randomUUID();
	const answers = await Promise.all([caller.post({ orderId, amount: 4990 }), caller.post({ orderId, amount: 4990 })]);
	expect(answers.map(({ body }) => body.status).sort()).toEqual(['charged', 'charged_before']);
	expect(answers[0].body.charge).toBe(answers[1].body.charge);
	expect(charges(orderId)).toBe(1);
});

it('an agent that calls the tool twice in one turn, and once more, charges once', async () => {
	const orderId = randomUUID();
	model.plan([chargeOf(orderId), chargeOf(orderId)], [chargeOf(orderId)]);
	await chat();
	const { answers } = model.turns.at(-1)!;
	expect(answers.map((text) => /"status":"(\w+)"/.exec(text)?.[1]).sort()).toEqual(['charged', 'charged_before', 'charged_before']);
	expect(charges(orderId)).toBe(1);
});

it('after a lost answer the tool says that nobody knows, and a call all the same charges nothing', async () => {
	const orderId = randomUUID();
	payments.plan('orderId', orderId, 'reset');
	model.plan([chargeOf(orderId)], [{ tool: 'Check_Charge', input: { Business_ID: orderId } }], [chargeOf(orderId)]);
	await chat();
	const [first, checked, again] = model.turns.at(-1)!.answers;
	expect(first).toMatch(/"status":"unknown".*Do not call again/);
	expect(checked).toMatch(/needs_review/);
	expect(again).toMatch(/"status":"unknown"/);
	expect(charges(orderId)).toBe(1);
});

it('Check Charge tells of a charge that is done', async () => {
	const orderId = randomUUID();
	const { body } = await caller.post({ orderId, amount: 4990 });
	model.plan([{ tool: 'Check_Charge', input: { Business_ID: orderId } }]);
	await chat();
	expect(model.turns.at(-1)!.answers[0]).toContain(String(body.charge));
});

it('the same order with another amount is a conflict for the model, not a second charge', async () => {
	const orderId = randomUUID();
	model.plan([chargeOf(orderId)], [chargeOf(orderId, 9990)]);
	await chat();
	expect(model.turns.at(-1)!.answers[1]).toMatch(/another amount/);
	expect(charges(orderId)).toBe(1);
});
