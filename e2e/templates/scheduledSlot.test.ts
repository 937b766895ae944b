import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { n8n } from '../support/instance';
import { createLedger, ledgerData, type CredentialReference } from '../support/ledgers';
import { runManually } from '../support/Published';
import { Sink } from '../support/Sink';
import { readyTemplate } from '../support/templates';

let reports: Sink;
let ledger: CredentialReference;

beforeAll(async () => {
	reports = await Sink.start();
	ledger = await createLedger('Slots', { ...ledgerData('embedded'), embeddedFileName: `slots-${randomUUID()}.sqlite` });
});
afterAll(async () => await reports.stop());

const template = (interval: object[] | null) =>
	readyTemplate('scheduled-slot-once.json', {
		ledger,
		replace: { 'https://reports.example.com': reports.url, 'https://chat.example.com': reports.url },
		change: (node) => (node.name === 'Every Morning' && interval ? { ...node, parameters: { rule: { interval } } as never } : node),
	});

/** A test at midnight sees two days. */
const reportsPerDay = () => {
	const days = reports.at('/daily').map(({ body }) => body.day);
	return { days: new Set(days).size, reports: days.length };
};

it('three published schedules that fire every second send one report of the day', async () => {
	const ids: string[] = [];
	for (let instance = 0; instance < 3; instance++) {
		const { id } = await n8n().createWorkflow({ ...template([{ field: 'seconds', secondsInterval: 1 }]), name: `Slots ${instance}` });
		await n8n().publishWorkflow(id);
		ids.push(id);
	}
	for (const id of ids) await n8n().waitForExecutions(id, 3);
	for (const id of ids) await n8n().unpublishWorkflow(id);
	await sleep(1_000);
	const seen = reportsPerDay();
	expect(seen.reports).toBe(seen.days);
	expect(reports.at('/daily')[0].key).toMatch(/^send_daily_report:\d{4}-\d{2}-\d{2}$/);
});

it('Execute Workflow in the afternoon, three times at once, sends none', async () => {
	const runs = await Promise.all([1, 2, 3].map(async (n) => await runManually(template(null), `By hand ${n}`)));
	expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	const seen = reportsPerDay();
	expect(seen.reports).toBe(seen.days);
});
