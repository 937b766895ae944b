import { setTimeout as sleep } from 'node:timers/promises';

import { n8n } from './support/instance';
import { createLedger, ledgerData, STORES } from './support/ledgers';
import type { CredentialReference } from './support/ledgers';
import { chain, claim, end, ledgerTrigger, webhook, workflow } from './support/nodes';
import { Published, readExecution, runManually } from './support/Published';

/** A claim whose holder never comes back; its lease is over when this returns. */
async function crash(holder: Published, orderId: string): Promise<void> {
	const { execution } = await holder.run({ orderId });
	expect(execution.counts('Claim')[0]).toBe(1);
	await sleep(1_000);
}

/** The trigger in an active workflow. */
class Watcher {
	private constructor(readonly id: string) {}

	static async create(ledger: CredentialReference, name: string): Promise<Watcher> {
		const { id } = await n8n().createWorkflow({ ...watching(ledger), name });
		await n8n().publishWorkflow(id);
		return new Watcher(id);
	}

	/** n8n polls once when a workflow is activated, with what it has stored of it; as after a restart. */
	async reactivate(): Promise<void> {
		await n8n().unpublishWorkflow(this.id);
		await n8n().publishWorkflow(this.id);
	}

	/** What the trigger told so far, once so many executions have ended. */
	async told(executions: number, timeoutMs?: number): Promise<Array<Record<string, unknown>>> {
		const ended = await n8n().waitForExecutions(this.id, executions, timeoutMs);
		const all = await Promise.all(ended.map(({ id }) => readExecution(id)));
		return all.reverse().flatMap((execution) => execution.json('Look'));
	}
}

const watching = (ledger: CredentialReference) => {
	const options = { leaseGraceMinutes: 0 };
	return workflow([ledgerTrigger({ options, filters: { claimedOperation: 'trigger_test' } }, { ledger }), end('Look')], chain('Ledger Trigger', 'Look'));
};

const holding = (ledger: CredentialReference) =>
	workflow([webhook(), claim({ operation: 'trigger_test', leaseMinutes: 0.01 }, { ledger }), end('Gone')], chain('Webhook', 'Claim', 'Gone'));

describe('Idempotency Ledger Trigger', () => {
	it.each(STORES)('%s: a holder that crashed shows up once, however often the workflow is activated', async (store) => {
		const ledger = await createLedger(`Watched ${store}`, ledgerData(store));
		const holder = await Published.create(holding(ledger), `Crashes, ${store}`);
		await crash(holder, `before-${store}`);
		const watcher = await Watcher.create(ledger, `Watches, ${store}`);
		expect(await n8n().listExecutions(watcher.id)).toEqual([]);
		await crash(holder, `crashed-${store}`);
		await watcher.reactivate();
		const told = await watcher.told(1);
		// The earlier one too: it is moved to review only now.
		expect(told.map(({ key }) => key).sort()).toEqual([`trigger_test:before-${store}`, `trigger_test:crashed-${store}`]);
		expect(told[1]).toMatchObject({ event: 'lease_ran_out', status: 'needs_review', reason: 'lease_expired' });
		expect(told[1].owner).toMatchObject({ nodeName: 'Claim' });
		await watcher.reactivate();
		await watcher.reactivate();
		await sleep(2_000);
		expect(await n8n().listExecutions(watcher.id)).toHaveLength(1);
		await n8n().unpublishWorkflow(watcher.id);
	}, 90_000);

	it('on n8n’s own schedule', async () => {
		const ledger = await createLedger('Watched', ledgerData('embedded'));
		const holder = await Published.create(holding(ledger), 'Crashes, scheduled');
		const watcher = await Watcher.create(ledger, 'Watches, scheduled');
		await crash(holder, 'scheduled');
		expect((await watcher.told(1, 100_000)).map(({ key }) => key)).toContain('trigger_test:scheduled');
		await n8n().unpublishWorkflow(watcher.id);
	}, 150_000);

	it('the editor’s test shows the newest records', async () => {
		const ledger = await createLedger('Watched', ledgerData('embedded'));
		const holder = await Published.create(holding(ledger), 'Crashes, manual');
		await crash(holder, 'manual');
		const execution = await runManually(watching(ledger), 'Watches by hand');
		expect(execution.status).toBe('success');
		expect(execution.json('Look').length).toBeGreaterThan(0);
		expect(execution.json('Look')[0]).toMatchObject({ event: 'lease_ran_out', found: true });
	});

	it('a ledger that is not there keeps the workflow from being published, in words', async () => {
		const ledger = await createLedger('Nobody listens', { store: 'redis', redisHost: '127.0.0.1', redisPort: 1 });
		const { id, versionId } = await n8n().createWorkflow({ ...watching(ledger), name: 'Watches nothing' });
		await n8n().request('POST', `/rest/workflows/${id}/activate`, { versionId });
		let said = '';
		await n8n().until('the publication to fail', async () => {
			said = JSON.stringify(await n8n().request('GET', `/rest/workflows/${id}/publication-status`));
			return said.includes('127.0.0.1:1');
		});
		expect(said).toMatch(/"status":"failed"/);
		await n8n().unpublishWorkflow(id);
	});
});
