import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { IdempotencyLookup } from '../../../nodes/IdempotencyLookup/IdempotencyLookup.node';
import { LOOKUP, node, runWorkflow, withTools, workflow, type NodeSettings } from '../../support/engine';
import { answers, claimRun, embeddedLedger, OUT, seal } from '../claim/claimRun';

interface LookupRun {
	ledger: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	items?: IDataObject[];
	settings?: NodeSettings;
}

async function lookUp({ ledger, parameters, items = [{}], settings }: LookupRun) {
	return await runWorkflow({
		workflow: workflow(
			[
				node('Start', 'test.trigger', { items: items as never }),
				node('Lookup', LOOKUP, parameters, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } }, ...settings }),
			],
			[['Start', 'Lookup']],
		),
		nodeTypes: { [LOOKUP]: new IdempotencyLookup() },
		credentials: { ledger },
	});
}

const found = async (given: LookupRun) => (await lookUp(given)).json('Lookup');
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** One record in each of some states. */
async function filledLedger() {
	const ledger = embeddedLedger();
	const run = await claimRun({ ledger, items: ['done', 'failed', 'unknown', 'held'].map((id) => ({ id })), options: { correlationId: '={{ "req-" + $json.id }}' } });
	const claims = answers(run, OUT.claimed);
	await seal(ledger, claims[0]);
	await seal(ledger, claims[1], { word: 'permanent', error: { code: null, httpStatus: 422, message: 'card declined' } });
	await seal(ledger, claims[2], { word: 'unknown' });
	return { ledger, claims };
}

describe('Lookup: Get', () => {
	const get = { operation: 'get', claimedOperation: 'charge', businessId: '={{ $json.id }}' };

	it('by operation and business ID: the whole record, times as text', async () => {
		const { ledger, claims } = await filledLedger();
		const [record] = await found({ ledger, parameters: get, items: [{ id: 'done' }] });
		expect(record).toMatchObject({
			found: true,
			status: 'succeeded',
			state: 'succeeded',
			key: 'charge:done',
			revision: 2,
			token: claims[0].token,
			result: { id: 'ch_1' },
			externalId: 'ch_1',
			correlationId: 'req-done',
			createdAt: ISO,
			updatedAt: ISO,
			completedAt: ISO,
			expiresAt: ISO,
			leaseExpiresAt: null,
			leaseIsOver: false,
			ageSeconds: expect.any(Number),
			owner: { nodeName: 'Claim' },
			history: [expect.objectContaining({ at: ISO, to: 'processing' }), expect.objectContaining({ at: ISO, to: 'succeeded' })],
		});
	});

	it('an item for each input item, found or not', async () => {
		const { ledger } = await filledLedger();
		const run = await lookUp({ ledger, parameters: get, items: [{ id: 'nowhere' }, { id: 'failed' }] });
		expect(run.json('Lookup')).toEqual([
			{ found: false, status: 'not_found', key: 'charge:nowhere', operation: 'charge', businessId: 'nowhere', scope: null, version: null, ephemeral: false },
			expect.objectContaining({ found: true, status: 'permanent_failed', lastError: expect.objectContaining({ httpStatus: 422, at: ISO }) }),
		]);
		expect(run.items('Lookup').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('by key', async () => {
		const { ledger } = await filledLedger();
		const records = await found({ ledger, parameters: { operation: 'get', lookUpBy: 'key', key: '={{ $json.k }}' }, items: [{ k: 'charge:held' }, { k: 'charge:none' }] });
		expect(records.map(({ status }) => status)).toEqual(['processing', 'not_found']);
	});

	it('with the options of Claim that change the key', async () => {
		const ledger = { ...embeddedLedger(), hashSecret: 'pepper' };
		const options = { scope: 'acme', version: '2', trim: true, lowerCase: true, hashBusinessId: true };
		await claimRun({ ledger, items: [{ id: ' Jane@x ' }], options });
		const [record] = await found({ ledger, parameters: { ...get, options }, items: [{ id: 'jane@x' }] });
		expect(record).toMatchObject({ found: true, scope: 'acme' });
	});

	it.each([
		[{ ...get }, { id: '' }, /business ID/i],
		[{ operation: 'get', lookUpBy: 'key', key: '={{ $json.id }}' }, { id: '' }, /Key/],
		[{ operation: 'get', lookUpBy: 'key', key: '={{ $json.id }}' }, { id: 'x'.repeat(300) }, /Key/],
	])('bad input is named: %j', async (parameters, item, text) => {
		const run = await lookUp({ ledger: embeddedLedger(), parameters, items: [item] });
		expect(run.error!.message).toMatch(text);
		expect((run.error as { context?: { itemIndex?: number } }).context?.itemIndex).toBe(0);
	});

	it('On Error = Continue: a status instead of an answer, never `found`', async () => {
		const ledger = { store: 'postgres', postgresHost: '127.0.0.1', postgresPort: 9, connectTimeoutSeconds: 1 };
		const regular = await lookUp({ ledger, parameters: get, items: [{ id: 1 }], settings: { onError: 'continueRegularOutput' } });
		expect(regular.json('Lookup')).toEqual([{ status: 'error', code: 'UNREACHABLE', message: expect.any(String), advice: expect.any(String) }]);
		const separate = await lookUp({ ledger, parameters: get, items: [{ id: 1 }], settings: { onError: 'continueErrorOutput' } });
		expect(separate.counts('Lookup')).toEqual([0, 1]);
		expect(separate.json('Lookup', 1)[0]).toMatchObject({ id: 1, error: expect.any(String) });
	});
});

describe('Lookup: Get Many', () => {
	const many = (filters: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({ operation: 'getMany', filters, ...more });
	const keys = (records: IDataObject[]) => records.map(({ businessId }) => businessId);

	it('filters by state, operation, external ID, correlation ID', async () => {
		const { ledger } = await filledLedger();
		expect(keys(await found({ ledger, parameters: many() }))).toEqual(expect.arrayContaining(['done', 'failed', 'unknown', 'held']));
		expect(keys(await found({ ledger, parameters: many({ states: ['needs_review', 'permanent_failed'] }) })).sort()).toEqual(['failed', 'unknown']);
		expect(keys(await found({ ledger, parameters: many({ claimedOperation: 'refund' }) }))).toEqual([]);
		expect(keys(await found({ ledger, parameters: many({ externalId: 'ch_1' }) }))).toEqual(['done']);
		expect(keys(await found({ ledger, parameters: many({ correlationId: 'req-held' }) }))).toEqual(['held']);
		expect(keys(await found({ ledger, parameters: many({ olderThanHours: 1 }) }))).toEqual([]);
		expect(keys(await found({ ledger, parameters: many({ olderThanHours: 0 }) }))).toHaveLength(4);
	});

	it('Lease Is Over finds what nobody came back for', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 'short' }], parameters: { leaseMinutes: 0.01 } });
		await claimRun({ ledger, items: [{ id: 'long' }] });
		await new Promise((resolve) => setTimeout(resolve, 700));
		const records = await found({ ledger, parameters: many({ stuck: true }) });
		expect(records).toEqual([expect.objectContaining({ businessId: 'short', leaseIsOver: true })]);
	});

	it('Limit gives pages and a cursor on the last item; Return All gives everything', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: Array.from({ length: 7 }, (_, id) => ({ id })) });
		const seen: unknown[] = [];
		let cursor: string | undefined = '';
		let pages = 0;
		while (cursor !== undefined) {
			const page: IDataObject[] = await found({ ledger, parameters: many({ cursor }, { limit: 3 }) });
			seen.push(...keys(page));
			cursor = page.at(-1)!.nextCursor as string | undefined;
			pages += 1;
		}
		expect(pages).toBe(3);
		expect(seen.sort()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
		expect(await found({ ledger, parameters: many({}, { returnAll: true }) })).toHaveLength(7);
	});

	it('Return All goes over more than one page', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: Array.from({ length: 1203 }, (_, id) => ({ id })) });
		const records = await found({ ledger, parameters: many({}, { returnAll: true }) });
		expect(new Set(keys(records)).size).toBe(1203);
		expect(await found({ ledger, parameters: many({}, { limit: 700 }) })).toHaveLength(700);
	});

	it.each([
		[many({ claimedOperation: '={{ $json.missing }}' }), /Operation/],
		[many({ states: ['lost'] }), /States/],
		[many({}, { limit: 0 }), /Limit/],
		[many({ olderThanHours: -1 }), /Older Than/],
		[many({ cursor: 'made up' }), /cursor/i],
	])('bad input is refused rather than taken as everything: %j', async (parameters, text) => {
		const run = await lookUp({ ledger: embeddedLedger(), parameters });
		expect(run.error!.message).toMatch(text);
	});
});

describe('Lookup: Get Statistics', () => {
	it('counts by state and operation, stopped duplicates, conflicts, oldest age', async () => {
		const { ledger } = await filledLedger();
		await claimRun({ ledger, items: [{ id: 'held' }, { id: 'done' }] });
		const [statistics] = await found({ ledger, parameters: { operation: 'getStatistics' } });
		expect(statistics).toMatchObject({
			status: 'ok',
			at: ISO,
			totals: {
				records: 4,
				states: { processing: 1, succeeded: 1, permanent_failed: 1, needs_review: 1, retryable_failed: 0 },
				duplicatesStopped: 2,
				conflicts: 0,
				takeovers: 0,
				oldestProcessingSeconds: expect.any(Number),
			},
			operations: [expect.objectContaining({ operation: 'charge', records: 4 })],
		});
	});

	it('Prometheus text, with labels escaped', async () => {
		const ledger = embeddedLedger();
		await claimRun({ ledger, items: [{ id: 1 }], parameters: { operation: 'say "hi"\\now' } });
		const [{ metrics, contentType }] = await found({ ledger, parameters: { operation: 'getStatistics', format: 'prometheus' } });
		expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
		expect(metrics).toContain('# HELP idempotency_records Records in the ledger\n# TYPE idempotency_records gauge\n');
		expect(metrics).toContain('idempotency_records{operation="say \\"hi\\"\\\\now",state="processing"} 1\n');
		for (const line of (metrics as string).trimEnd().split('\n')) {
			expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+\{operation="(?:[^"\\\n]|\\["\\n])*"(,state="[a-z_]+")?\} -?[\d.]+)$/);
		}
	});

	it('an empty ledger: zeros, not nothing', async () => {
		const [statistics] = await found({ ledger: embeddedLedger(), parameters: { operation: 'getStatistics' } });
		expect(statistics).toMatchObject({ totals: { records: 0, duplicatesStopped: 0, oldestProcessingSeconds: null }, operations: [] });
	});
});

describe('Lookup as an AI tool', () => {
	it('answers with a status', async () => {
		const { ledger } = await filledLedger();
		const tool = (parameters: INodeParameters, input: IDataObject) =>
			runWorkflow({
				workflow: withTools(
					workflow(
						[
							node('Start', 'test.trigger', { items: [{}] as never }),
							node('Agent', 'test.agent', { calls: [{ tool: 'Lookup', input }] as never }),
							node('Lookup', `${LOOKUP}Tool`, parameters, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } } }),
						],
						[['Start', 'Agent']],
					),
					'Agent',
					'Lookup',
				),
				nodeTypes: { [LOOKUP]: new IdempotencyLookup() },
				credentials: { ledger },
			});
		const get = { operation: 'get', claimedOperation: 'charge', businessId: '={{ $json.id }}' };
		expect((await tool(get, { id: 'done' })).toolAnswers('Lookup')[0]).toMatchObject({ status: 'succeeded', found: true });
		expect((await tool(get, { id: '' })).toolAnswers('Lookup')[0]).toMatchObject({ status: 'error', code: 'INVALID_BUSINESS_ID' });
		const many = await tool({ operation: 'getMany', filters: { states: ['needs_review'] } }, { q: randomUUID() });
		expect(many.toolAnswers('Lookup')[0]).toMatchObject({ status: 'ok', count: 1, records: [{ businessId: 'unknown' }] });
	});
});
