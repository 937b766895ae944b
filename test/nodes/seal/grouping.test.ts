import { failed, httpError, networkError, node, workflow, runWorkflow, SEAL } from '../../support/engine';
import { embeddedLedger, recordOf } from '../claim/claimRun';
import { answers, claimNode, credentials, guardedRun, nodeTypes, OUT, sealNode } from './guardedRun';

describe('Seal: items and claims', () => {
	it('seals a batch in one go, each item by its own outcome', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
			effect: ({ json }) =>
				json.id === 2 ? failed(httpError(422)) : json.id === 3 ? failed(networkError('ECONNRESET')) : { chargeId: `ch_${String(json.id)}` },
		});
		expect(run.counts('Seal')).toEqual([2, 0, 1, 1]);
		const states = await Promise.all([1, 2, 3, 4].map(async (id) => (await recordOf(ledger, `charge:${id}`))!.state));
		expect(states).toEqual(['succeeded', 'permanent_failed', 'needs_review', 'succeeded']);
	});

	it('several items of one claim are sealed once, with all results', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effect: () => [{ chargeId: 'x1' }, { chargeId: 'x2' }, { chargeId: 'x3' }] });
		expect(run.counts('Seal')).toEqual([3, 0, 0, 0]);
		const record = (await recordOf(ledger, 'charge:a'))!;
		expect(record.revision).toBe(2);
		expect(record.result).toEqual([{ chargeId: 'x1' }, { chargeId: 'x2' }, { chargeId: 'x3' }]);
	});

	it('an item of several claims seals each', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			items: [{ id: 1 }, { id: 2 }],
			nodes: [node('Aggregate', 'test.aggregate')],
			wires: [['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 'Aggregate'], ['Aggregate', 'Seal']],
		});
		expect(run.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(answers(run, OUT.sealed)[0].sealedTokens).toHaveLength(2);
		for (const id of [1, 2]) expect((await recordOf(ledger, `charge:${id}`))!.state).toBe('succeeded');
	});

	it('one failed claim behind an Aggregate doesn’t make the other doubtful', async () => {
		const ledger = embeddedLedger();
		await guardedRun({
			ledger,
			items: [{ id: 1 }, { id: 2 }],
			effect: ({ json }) => (json.id === 2 ? failed(httpError(422)) : { chargeId: 'ch_1' }),
			nodes: [node('Aggregate', 'test.aggregate')],
			wires: [['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 'Aggregate'], ['Aggregate', 'Seal']],
		});
		expect((await recordOf(ledger, 'charge:1'))!.state).toBe('succeeded');
		expect((await recordOf(ledger, 'charge:2'))!.state).toBe('needs_review');
	});

	it('success and error output both wired into Seal: one claim, two runs, no contradiction', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			items: [{ id: 1 }, { id: 2 }],
			effectSettings: { onError: 'continueErrorOutput' },
			effect: ({ json }) => (json.id === 2 ? failed(httpError(422)) : { chargeId: 'ch_1' }),
			wires: [['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 0, 'Seal'], ['Effect', 1, 'Seal']],
		});
		expect(run.counts('Seal')).toEqual([1, 0, 1, 0]);
	});

	it('an error beside a success of the same claim is mixed: Review', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			nodes: [node('Split', 'test.code')],
			code: { Split: () => [{ json: { n: 1 }, pairedItem: { item: 0 } }, { json: { n: 2 }, pairedItem: { item: 0 } }] },
			effect: ({ json }) => (json.n === 2 ? failed(httpError(422)) : { chargeId: 'ch_1' }),
			wires: [['Start', 'Claim'], ['Claim', 'Split'], ['Split', 'Effect'], ['Effect', 'Seal']],
		});
		expect(run.counts('Seal')).toEqual([0, 0, 0, 2]);
		expect((await recordOf(ledger, 'charge:a'))!).toMatchObject({ state: 'needs_review', reason: 'unknown' });
	});

	it('nested guards: the inner Seal seals the inner claim, the outer one the outer', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			nodes: [
				claimNode({ operation: 'mail', businessId: '={{ $json.chargeId }}' }, {}, 'Claim Mail'),
				node('Mail', 'test.effect'),
				sealNode({ externalId: '' }, {}, 'Seal Mail'),
			],
			effects: { Mail: () => ({ mailId: 'm_1', chargeId: 'ch_a' }) },
			wires: [
				['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 'Claim Mail'], ['Claim Mail', 'Mail'],
				['Mail', 'Seal Mail'], ['Seal Mail', 'Seal'],
			],
		});
		expect(answers(run, OUT.sealed, 'Seal Mail')[0].key).toBe('mail:ch_a');
		expect(answers(run, OUT.sealed)[0].key).toBe('charge:a');
	});

	it('claim in the parent, effect and Seal in the sub-workflow', async () => {
		const ledger = embeddedLedger();
		const child = workflow(
			[node('Called', 'test.executeWorkflowTrigger'), node('Set', 'test.set', { values: { seen: true } as never }), sealNode({ externalId: '' })],
			[['Called', 'Set'], ['Set', 'Seal']],
			{ id: 'child' },
		);
		const parent = workflow(
			[node('Start', 'test.trigger', { items: [{ id: 'a' }] as never }), claimNode(), node('Call', 'test.executeWorkflow', { workflowId: 'child' })],
			[['Start', 'Claim'], ['Claim', 'Call']],
		);
		const run = await runWorkflow({ workflow: parent, workflows: { child }, nodeTypes, credentials: { ledger } });
		expect(run.error).toBeUndefined();
		expect((await recordOf(ledger, 'charge:a'))!.state).toBe('succeeded');
	});

	it('the claim can come from the item itself, under another field name', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			claim: { options: { outputField: 'guard' } },
			effect: ({ json }) => ({ ...json, chargeId: 'ch_1' }),
			seal: { claimSource: 'item', claimField: 'guard', options: { outputField: 'sealed' } },
		});
		expect(run.json('Seal', OUT.sealed)[0].sealed).toMatchObject({ status: 'sealed', key: 'charge:a' });
	});

	it('as an AI tool answers on output 0 with a status', async () => {
		const ledger = embeddedLedger();
		const first = await guardedRun({ ledger, effect: () => failed(httpError(500)) });
		const { token, attempt } = answers(first, OUT.review)[0];
		const run = await runWorkflow({
			workflow: workflow(
				[
					node('Start', 'test.trigger'),
					node('Tool', `${SEAL}Tool`, { claimSource: 'keyAndToken', key: 'charge:a', token: token as string, attempt: attempt as number, outcome: 'permanent' }, { credentials }),
				],
				[['Start', 'Tool']],
			),
			nodeTypes,
			credentials: { ledger },
		});
		expect(run.json('Tool', 0)[0]).toMatchObject({ status: 'review', outcome: 'already_sealed' });
	});
});
