import { n8n } from '../support/instance';
import { createLedger, ledgerData } from '../support/ledgers';
import { chain, node, webhook, workflow } from '../support/nodes';
import { Published } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let chat: Sink;
let failing: Published;

beforeAll(async () => {
	chat = await Sink.start();
	const ledger = await createLedger('Alerts', ledgerData('embedded'));
	const { id: errorWorkflow } = await n8n().createWorkflow(readyTemplate('alert-on-errors.json', { ledger, replace: { 'https://chat.example.com': chat.url } }));
	await n8n().publishWorkflow(errorWorkflow);
	const stop = node('Charge Card', 'n8n-nodes-base.stopAndError', { errorMessage: 'The card was eaten' });
	failing = await Published.create(workflow([webhook('onReceived'), stop], chain('Webhook', 'Charge Card'), { settings: { executionOrder: 'v1', errorWorkflow } }), 'Fails');
});
afterAll(async () => await chat.stop());

const alertsOf = (executionId: string) => chat.at('/hooks/errors').filter(({ body }) => String(body.text).includes(`/executions/${executionId}`));

it('alerts once, with what failed, where, and a link to the execution', async () => {
	const { execution } = await failing.run({});
	await n8n().until('the alert', async () => alertsOf(execution.id).length > 0);
	const [{ body, key }] = alertsOf(execution.id);
	expect(body.text).toMatch(/^Workflow "Fails" failed at "Charge Card": The card was eaten http/);
	expect(body.text).toContain(`/workflow/${failing.id}/executions/${execution.id}`);
	expect(key).toBe(`alert_failed_execution:${execution.id}`);
});

it('a retry that fails again is alerted of as well, since it is another execution', async () => {
	const { execution } = await failing.run({});
	const retried = await failing.retry(execution.id);
	await n8n().until('both alerts', async () => alertsOf(execution.id).length + alertsOf(retried.id).length === 2);
});
