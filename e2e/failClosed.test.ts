import type { INodeParameters } from 'n8n-workflow';

import { PaymentProvider } from '../demo/PaymentProvider';
import { startPostgres, type PostgresServer } from '../test/support/servers/startPostgres';
import { startRedis, type RedisServer } from '../test/support/servers/startRedis';
import { createLedger, ledgerData, postgresAt, redisAt, type CredentialReference } from './support/ledgers';
import { charge, claim, end, node, webhook, workflow } from './support/nodes';
import { Published, runManually, type Execution } from './support/Published';

const ON_ERROR = ['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const;
type OnError = (typeof ON_ERROR)[number];

/** Numbers of Claim's outputs; the error output comes after the regular ones. */
const CLAIMED = 0;
const REVIEW = 3;
const ERROR = 4;

let provider: PaymentProvider;
let serial = 0;
const newOrder = () => ({ orderId: `closed-${(serial += 1)}` });

beforeAll(async () => {
	provider = await PaymentProvider.start();
});
afterAll(async () => await provider.stop());

/** Webhook → Claim → the effect, with every other output ending somewhere. */
function guarded(onError: OnError, ledger: CredentialReference | undefined, parameters: INodeParameters = {}) {
	const nodes = [webhook('onReceived'), claim(parameters, { ledger, onError }), charge(provider.url), end('Elsewhere')];
	return workflow(nodes, [
		['Webhook', 'Claim'],
		['Claim', CLAIMED, 'Charge'],
		...[1, 2, REVIEW, ERROR].map((output): [string, number, string] => ['Claim', output, 'Elsewhere']),
	]);
}

/** What the failed item or execution says, wherever On Error put it. */
function said(execution: Execution, onError: OnError): string {
	switch (onError) {
		case 'stopWorkflow': {
			const { message, description } = execution.error ?? {};
			return `${String(message)} / ${String(description)}`;
		}
		case 'continueErrorOutput':
			return String(execution.json('Claim', ERROR)[0]?.error);
		case 'continueRegularOutput': {
			const { message, advice, status } = execution.json('Claim', REVIEW)[0]?.idempotency as Record<string, unknown>;
			return `${String(status)}: ${String(message)} / ${String(advice)}`;
		}
	}
}

function expectNothingClaimed(execution: Execution, orderId: string): void {
	expect(execution.items('Claim', CLAIMED)).toEqual([]);
	expect(execution.ran('Charge')).toBe(false);
	expect(provider.requests(orderId)).toBe(0);
}

describe.each(ON_ERROR)('Claim with On Error = %s lets nothing through', (onError) => {
	const run = async (name: string, ledger: CredentialReference | undefined, parameters?: INodeParameters, order: object = newOrder()) => {
		const published = await Published.create(guarded(onError, ledger, parameters), `${name}, ${onError}`);
		const { execution } = await published.run(order);
		expectNothingClaimed(execution, (order as { orderId: string }).orderId);
		expect(execution.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
		return said(execution, onError);
	};

	it('when PostgreSQL is not there', async () => {
		const ledger = await createLedger('Nobody listens', postgresAt('postgresql://ledger:postgres-secret@127.0.0.1:1/ledger'));
		const text = await run('PostgreSQL not there', ledger);
		expect(text).toMatch(/127\.0\.0\.1:1\b/);
		expect(text).not.toMatch(/postgres-secret/);
	});

	it('when Redis is not there', async () => {
		const ledger = await createLedger('Nobody listens', redisAt('redis://:redis-secret@127.0.0.1:1'));
		const text = await run('Redis not there', ledger);
		expect(text).toMatch(/127\.0\.0\.1:1\b/);
		expect(text).not.toMatch(/redis-secret/);
	});

	it('when no credential is selected: n8n does not publish it, and in the editor nothing is claimed', async () => {
		const json = guarded(onError, undefined, { businessId: 'closed-manual' });
		await expect(Published.create(json, 'No credential')).rejects.toThrow(/Missing required credential: idempotencyLedgerApi/);
		const [, ...others] = json.nodes;
		const manual = { ...json, nodes: [node('Webhook', 'n8n-nodes-base.manualTrigger'), ...others] };
		const execution = await runManually(manual, `No credential, ${onError}`);
		expectNothingClaimed(execution, 'closed-manual');
		expect(said(execution, onError)).toMatch(/credential/i);
	});

	it('when the credential is gone', async () => {
		expect(await run('Credential gone', { id: 'gone', name: 'Gone' })).toMatch(/credential/i);
	});

	it('when the business ID is missing', async () => {
		const ledger = await createLedger('Well', ledgerData('embedded'));
		const text = await run('No business ID', ledger, {}, { orderNumber: 1 });
		expect(text).toMatch(/business ID/i);
	});

	it('when the business ID cannot be read', async () => {
		const ledger = await createLedger('Well', ledgerData('embedded'));
		const text = await run('Unreadable business ID', ledger, { businessId: '={{ $("Nowhere").item.json.id }}' });
		expect(text).toMatch(/The parameter businessId could not be read/);
	});
});

describe('a ledger that stops while workflows use it', () => {
	const servers: Array<[string, () => Promise<PostgresServer | RedisServer>, (url: string) => ReturnType<typeof redisAt>]> = [
		['PostgreSQL', async () => await startPostgres(), postgresAt],
		['Redis', async () => await startRedis({ durable: true }), redisAt],
	];
	it.each(servers)('%s: nothing is claimed while it is away, and all goes on when it is back', async (name, start, dataOf) => {
		const server = await start();
		try {
			const ledger = await createLedger(`Stops: ${name}`, dataOf(server.url));
			const published = await Published.create(guarded('continueRegularOutput', ledger), `${name} stops`);
			const [first, second] = [newOrder(), newOrder()];
			expect((await published.run(first)).execution.counts('Claim')[CLAIMED]).toBe(1);
			await server.stop();
			const away = (await published.run(second)).execution;
			expectNothingClaimed(away, second.orderId);
			expect(said(away, 'continueRegularOutput')).toMatch(/^error: /);
			await server.start();
			expect((await published.run(second)).execution.counts('Claim')[CLAIMED]).toBe(1);
			expect(provider.effects(second.orderId)).toBe(1);
		} finally {
			await server.dispose();
		}
	});
});
