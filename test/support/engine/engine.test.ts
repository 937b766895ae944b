import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { chain, failed, httpError, node, runWorkflow, withTools, workflow } from '.';
import { describe as description, parameter } from './nodes/describe';

const start = (items: object[]) => node('Start', 'test.trigger', { items: items as never });

describe('n8n engine in process', () => {
	it('runs a chain and shows every output', async () => {
		const run = await runWorkflow({
			workflow: workflow(
				[start([{ id: 1 }, { id: 2 }]), node('Big?', 'test.if', { condition: '={{ $json.id > 1 }}' }), node('Mark', 'test.set', { values: { seen: true } })],
				[...chain('Start', 'Big?', 'Mark')],
			),
		});
		expect(run.status).toBe('success');
		expect(run.counts('Big?')).toEqual([1, 1]);
		expect(run.json('Mark')).toEqual([{ id: 2, seen: true }]);
		expect(run.order).toEqual(['Start', 'Big?', 'Mark']);
	});

	const effectWorkflow = (onError?: 'continueErrorOutput' | 'continueRegularOutput') =>
		workflow([start([{ id: 1 }, { id: 2 }]), node('Charge', 'test.effect', {}, { onError })], chain('Start', 'Charge'));
	const secondFails = { Charge: ({ json }: { json: { id?: unknown } }) => (json.id === 2 ? failed(httpError(422)) : { charged: json.id as number }) };

	it('an effect that fails stops the workflow, and the Retry button goes on at it', async () => {
		const first = await runWorkflow({ workflow: effectWorkflow(), effects: secondFails });
		expect(first.status).toBe('error');
		expect(first.error?.message).toBe('Your request is invalid or could not be processed by the service');
		const calls: unknown[] = [];
		const again = await runWorkflow({
			workflow: effectWorkflow(),
			retryOf: first,
			effects: { Charge: ({ json, context }) => (calls.push(context.getMode()), { charged: json.id }) },
		});
		expect(again.status).toBe('success');
		expect(calls).toEqual(['retry', 'retry']);
		expect(again.executionId).not.toBe(first.executionId);
		expect(again.count('Start')).toBe(1);
		expect(again.json('Charge')).toEqual([{ charged: 1 }, { charged: 2 }]);
	});

	it('On Error = Continue keeps the error on output 0; the error output gets it with the input merged in', async () => {
		const regular = await runWorkflow({ workflow: effectWorkflow('continueRegularOutput'), effects: secondFails });
		expect(regular.json('Charge')).toEqual([{ charged: 1 }, { error: expect.objectContaining({ status: 422 }) }]);
		const separate = await runWorkflow({ workflow: effectWorkflow('continueErrorOutput'), effects: secondFails });
		expect(separate.json('Charge', 0)).toEqual([{ charged: 1 }]);
		expect(separate.json('Charge', 1)).toEqual([{ id: 2, error: expect.objectContaining({ status: 422 }) }]);
	});

	it('a loop goes round by batches and collects what was done', async () => {
		const run = await runWorkflow({
			workflow: workflow(
				[start([{ id: 1 }, { id: 2 }, { id: 3 }]), node('Loop', 'test.loop'), node('Mark', 'test.set', { values: { seen: true } })],
				[['Start', 'Loop'], ['Loop', 1, 'Mark'], ['Mark', 'Loop']],
			),
		});
		expect(run.count('Mark')).toBe(3);
		expect(run.json('Loop', 0)).toEqual([1, 2, 3].map((id) => ({ id, seen: true })));
	});

	it('Merge waits for both inputs', async () => {
		const nodes = [start([{ id: 1 }]), node('A', 'test.set', { values: { a: 1 } }), node('B', 'test.set', { values: { b: 1 } }), node('Both', 'test.merge', { mode: 'combine' })];
		const run = await runWorkflow({ workflow: workflow(nodes, [['Start', 'A'], ['Start', 'B'], ['A', 'Both'], ['B', 0, 'Both', 1]]) });
		expect(run.json('Both')).toEqual([{ id: 1, a: 1, b: 1 }]);
	});

	it('a sub-workflow runs by itself and gives back what its last node put out', async () => {
		const called = workflow([node('Called', 'test.executeWorkflowTrigger'), node('Mark', 'test.set', { values: { inside: true } })], chain('Called', 'Mark'));
		const run = await runWorkflow({
			workflow: workflow([start([{ id: 1 }]), node('Call', 'test.executeWorkflow', { workflowId: 'sub' })], chain('Start', 'Call')),
			workflows: { sub: called },
		});
		expect(run.json('Call')).toEqual([{ id: 1, inside: true }]);
		expect(run.subRuns.map((sub) => sub.run.mode)).toEqual(['integrated']);
	});

	it('pinned data replaces a node in manual runs only', async () => {
		const json = { ...effectWorkflow(), pinData: { Charge: [{ json: { pinned: true } }] } };
		expect((await runWorkflow({ workflow: json, mode: 'manual' })).json('Charge')).toEqual([{ pinned: true }]);
		expect((await runWorkflow({ workflow: json })).json('Charge')).toEqual([{ ok: true }, { ok: true }]);
	});

	it('Retry On Fail runs the node again in the same execution', async () => {
		let calls = 0;
		const run = await runWorkflow({
			workflow: workflow([start([{}]), node('Charge', 'test.effect', {}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 })], chain('Start', 'Charge')),
			effects: { Charge: () => (++calls < 3 ? failed(httpError(500)) : { ok: true }) },
		});
		expect([run.status, calls]).toEqual(['success', 3]);
	});

	it('a cancelled execution runs no later node', async () => {
		const run = await runWorkflow({
			workflow: workflow([start([{}]), node('Wait', 'test.wait', { ms: 30 }), node('After', 'test.noOp')], chain('Start', 'Wait', 'After')),
			onStart: (cancel) => setTimeout(cancel, 5),
		});
		expect([run.status, run.count('After')]).toEqual(['canceled', 0]);
	});

	it('credentials reach the node by id; a node usable as a tool answers an agent', async () => {
		const seen: unknown[] = [];
		const probe: INodeType = {
			description: description('probe', [parameter('text', 'string', '')], {
				usableAsTool: true,
				credentials: [{ name: 'idempotencyLedgerApi', required: true }],
			}),
			async execute(this: IExecuteFunctions) {
				seen.push(await this.getCredentials('idempotencyLedgerApi'), this.getNode().type);
				return [[{ json: { status: 'seen', text: this.getNodeParameter('text', 0) as string } }]];
			},
		};
		const credentials = { idempotencyLedgerApi: { id: 'c1', name: 'Ledger' } };
		const json = withTools(
			workflow(
				[
					start([{}]),
					node('Agent', 'test.agent', { calls: [{ tool: 'Probe', input: { q: 1 } }] as never }),
					node('Probe', 'pkg.probeTool', { text: '={{ $json.q }}' }, { credentials }),
				],
				chain('Start', 'Agent'),
			),
			'Agent',
			'Probe',
		);
		const run = await runWorkflow({ workflow: json, nodeTypes: { 'pkg.probe': probe }, credentials: { c1: { store: 'memory' } } });
		expect(run.error).toBeUndefined();
		expect(seen).toEqual([{ store: 'memory' }, 'pkg.probeTool']);
		expect(run.toolAnswers('Probe')).toEqual([{ status: 'seen', text: 1 }]);
	});
});
