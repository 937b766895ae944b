import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { CLAIM, node, runWorkflow, withTools, workflow } from '../../support/engine';
import { answers, claimRun, embeddedLedger, inLedger, OUT, recordOf } from './claimRun';

/** A Claim whose first `failures` answers are lost after the ledger made the claim. */
function losingAnswers(failures: number): IdempotencyClaim {
	const claim = new IdempotencyClaim();
	const losing = Object.create(claim) as IdempotencyClaim;
	let calls = 0;
	losing.execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output = await claim.execute.call(this);
		if (++calls <= failures) throw new Error('the answer was lost');
		return output;
	};
	return losing;
}

const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe('Claim: a claim’s own run', () => {
	it('Retry On Fail gets its own claims back, each item its own', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({
			ledger,
			items: [{ id: 'a' }, { id: 'b' }, { id: 'a' }],
			settings: retries,
			nodeTypes: { [CLAIM]: losingAnswers(2) },
		});
		expect(run.status).toBe('success');
		expect(run.counts('Claim')).toEqual([2, 0, 1, 0]);
		expect(answers(run, OUT.claimed)).toEqual([
			expect.objectContaining({ key: 'charge:a', attempt: 1, claimedBy: 'own' }),
			expect.objectContaining({ key: 'charge:b', attempt: 1, claimedBy: 'own' }),
		]);
		expect((await recordOf(ledger, 'charge:a'))!.attempt).toBe(1);
	});

	it('an `error` in the first item’s data doesn’t set Retry On Fail off', async () => {
		const ledger = embeddedLedger();
		let runs = 0;
		const claim = new IdempotencyClaim();
		const counting = Object.create(claim) as IdempotencyClaim;
		counting.execute = async function (this: IExecuteFunctions) {
			runs += 1;
			return await claim.execute.call(this);
		};
		const run = await claimRun({ ledger, items: [{ id: 1, error: 'old' }], settings: retries, nodeTypes: { [CLAIM]: counting } });
		expect(run.counts('Claim')).toEqual([1, 0, 0, 0]);
		expect(runs).toBe(1);
	});

	it('the Retry button after a failure of Claim is another run: it waits for the lease', async () => {
		const ledger = embeddedLedger();
		const failed = await claimRun({ ledger, items: [{ id: 1 }], nodeTypes: { [CLAIM]: losingAnswers(1) } });
		expect(failed.status).toBe('error');
		const again = await claimRun({ ledger, items: [{ id: 1 }], retryOf: failed });
		expect(again.counts('Claim')).toEqual([0, 0, 1, 0]);
	});

	it('the same execution id doesn’t make another run its own (a run resumed twice, a stalled job)', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }], executionId: '77' });
		const second = await claimRun({ ledger, items: [{ id: 1 }], executionId: '77' });
		expect([first.counts('Claim')[0], second.counts('Claim')[0]]).toEqual([1, 0]);
	});

	it('a loop that comes back with the same key isn’t given the claim again', async () => {
		const ledger = embeddedLedger();
		const run = await runWorkflow({
			workflow: workflow(
				[
					node('Start', 'test.trigger', { items: [{ id: 1 }, { id: 1 }, { id: 2 }] as never }),
					node('Loop', 'test.loop'),
					node('Claim', CLAIM, { operation: 'charge', businessId: '={{ $json.id }}' }, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } } }),
				],
				[['Start', 'Loop'], ['Loop', 1, 'Claim'], ['Claim', 0, 'Loop'], ['Claim', 2, 'Loop']],
			),
			nodeTypes: { [CLAIM]: new IdempotencyClaim() },
			credentials: { ledger },
		});
		expect(run.count('Claim')).toBe(3);
		expect(run.counts('Claim').slice(0, 4)).toEqual([2, 0, 1, 0]);
	});

	it('Execute Once claims the first item only', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 1 }, { id: 2 }], settings: { executeOnce: true } });
		expect(run.counts('Claim')).toEqual([1, 0, 0, 0]);
		expect(await recordOf(ledger, 'charge:2')).toBeNull();
	});

	it('a pinned Claim doesn’t ask the ledger (manual runs only)', async () => {
		const ledger = embeddedLedger();
		const json = workflow(
			[
				node('Start', 'test.trigger', { items: [{ id: 1 }] as never }),
				node('Claim', CLAIM, { operation: 'charge', businessId: '={{ $json.id }}' }, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } } }),
			],
			[['Start', 'Claim']],
			{ pinData: { Claim: [{ json: { pinned: true } }] } },
		);
		const given = { workflow: json, nodeTypes: { [CLAIM]: new IdempotencyClaim() }, credentials: { ledger } };
		const manual = await runWorkflow({ ...given, mode: 'manual' });
		expect(manual.json('Claim')).toEqual([{ pinned: true }]);
		const production = await runWorkflow(given);
		expect(answers(production, OUT.claimed)[0]).toMatchObject({ status: 'claimed' });
	});

	it('On Error = Stop: claims of a batch that stops are given back', async () => {
		const ledger = embeddedLedger();
		let now = 0;
		const slowClock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 20_000));
		const run = await claimRun({ ledger, items: [{ id: 'other' }], parameters: { leaseMinutes: 0.01 } });
		slowClock.mockRestore();
		expect(run.error!.message).toContain('lease');
		expect(await recordOf(ledger, 'charge:other')).toBeNull();
	});

	it('an answer that comes after the lease isn’t released to Claimed', async () => {
		const ledger = embeddedLedger();
		let now = 0;
		const slowClock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 20_000));
		const run = await claimRun({ ledger, items: [{ id: 1 }], parameters: { leaseMinutes: 0.01 }, settings: { onError: 'continueRegularOutput' } });
		slowClock.mockRestore();
		expect(run.counts('Claim')).toEqual([0, 0, 0, 1]);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: 'ANSWER_TOO_LATE', key: 'charge:1' });
	});
});

describe('Claim as an AI tool', () => {
	const agent = (calls: object[], parameters = {}, settings = {}) =>
		withTools(
			workflow(
				[
					node('Start', 'test.trigger', { items: [{}] as never }),
					node('Agent', 'test.agent', { calls: calls as never }),
					node('Claim', `${CLAIM}Tool`, { operation: 'charge', businessId: '={{ $json.id }}', ...parameters }, { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'L' } }, ...settings }),
				],
				[['Start', 'Agent']],
			),
			'Agent',
			'Claim',
		);
	const call = (id: unknown) => ({ tool: 'Claim', input: { id } });

	it('answers on output 0 with a status, whatever the outcome', async () => {
		const ledger = embeddedLedger();
		const nodeTypes = { [CLAIM]: new IdempotencyClaim() };
		const run = await runWorkflow({ workflow: agent([call('a'), call('a'), call('')]), nodeTypes, credentials: { ledger } });
		expect(run.error).toBeUndefined();
		expect(run.toolAnswers('Claim')).toEqual([
			expect.objectContaining({ status: 'claimed', key: 'charge:a', token: expect.any(String) }),
			expect.objectContaining({ status: 'in_progress', message: expect.any(String) }),
			expect.objectContaining({ status: 'error', code: 'INVALID_BUSINESS_ID', advice: expect.any(String) }),
		]);
	});

	it('two calls with one key don’t share a claim', async () => {
		const ledger = embeddedLedger();
		const nodeTypes = { [CLAIM]: new IdempotencyClaim() };
		const run = await runWorkflow({ workflow: agent([call('a'), call('a')]), nodeTypes, credentials: { ledger } });
		expect(run.toolAnswers('Claim').filter(({ status }) => status === 'claimed')).toHaveLength(1);
		expect(await inLedger(ledger, async (store) => (await store.get(['charge:a'])).records[0]!.attempt)).toBe(1);
	});

	it('says `error` when the ledger is down', async () => {
		const run = await runWorkflow({
			workflow: agent([call('a')]),
			nodeTypes: { [CLAIM]: new IdempotencyClaim() },
			credentials: { ledger: { store: 'postgres', postgresHost: '127.0.0.1', postgresPort: 9, connectTimeoutSeconds: 1 } },
		});
		expect(run.toolAnswers('Claim')[0]).toMatchObject({ status: 'error', code: 'UNREACHABLE' });
	});
});
