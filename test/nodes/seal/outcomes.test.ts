import { failed, httpError, networkError } from '../../support/engine';
import { answers as claimAnswers, claimRun, embeddedLedger, recordOf } from '../claim/claimRun';
import { answers, guardedRun, OUT } from './guardedRun';

const key = 'charge:a';

describe('Seal: the state after it decides the output', () => {
	it('success is sealed, with External ID and the selected fields, and replayed to the duplicate', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effect: () => ({ chargeId: 'ch_1', noise: 'x' }) });
		expect(run.status).toBe('success');
		expect(run.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(run.json('Seal', OUT.sealed)[0]).toMatchObject({ chargeId: 'ch_1', noise: 'x' });
		expect(answers(run, OUT.sealed)[0]).toMatchObject({ status: 'sealed', state: 'succeeded', key, attempt: 1, externalId: 'ch_1' });
		expect(run.items('Seal', OUT.sealed)[0].pairedItem).toEqual({ item: 0 });

		const again = await claimRun({ ledger, items: [{ id: 'a' }] });
		expect(again.counts('Claim')).toEqual([0, 1, 0, 0]);
		expect(claimAnswers(again, 1)[0]).toMatchObject({ status: 'done_before', result: { chargeId: 'ch_1' }, externalId: 'ch_1' });
	});

	it('a refused connection leaves by Retry, with a time for the Wait node', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			effect: () => failed(networkError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9')),
			seal: { retry: { baseDelaySeconds: 3, delayCapSeconds: 3 } },
		});
		expect(run.counts('Seal')).toEqual([0, 1, 0, 0]);
		const [answer] = answers(run, OUT.retry);
		expect(answer).toMatchObject({ status: 'retry', state: 'retryable_failed', maxAttempts: 5 });
		expect(answer.retryInMs).toBeGreaterThan(0);
		expect(answer.retryInMs).toBeLessThanOrEqual(3250);
		expect(Date.parse(answer.retryAt as string)).toBeGreaterThan(Date.now() - 5000);
		expect(run.json('Seal', OUT.retry)[0]).not.toHaveProperty('error');
	});

	it('a batch of retries carries one wait that serves all of them, and each its own time', async () => {
		const run = await guardedRun({
			ledger: embeddedLedger(),
			items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
			effect: ({ json }) => (json.id === 4 ? { chargeId: 'ch_4' } : failed(networkError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'))),
			seal: { retry: { baseDelaySeconds: 1000, delayCapSeconds: 1000 } },
		});
		const retries = answers(run, OUT.retry);
		expect(retries).toHaveLength(3);
		expect(new Set(retries.map(({ retryInMs }) => retryInMs)).size).toBe(1);
		const last = Math.max(...retries.map(({ retryAt }) => Date.parse(retryAt as string)));
		expect(Date.now() + (retries[0].retryInMs as number)).toBeGreaterThan(last);
		expect(answers(run, OUT.sealed)[0]).not.toHaveProperty('retryInMs');
	});

	it('a 422 leaves by Failed, and the error is kept on the record', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effect: () => failed(httpError(422, 'Card declined')) });
		expect(run.counts('Seal')).toEqual([0, 0, 1, 0]);
		expect(answers(run, OUT.failed)[0]).toMatchObject({ status: 'failed', state: 'permanent_failed', reason: 'permanent' });
		expect((await recordOf(ledger, key))!.lastError).toMatchObject({ httpStatus: 422, message: expect.stringContaining('Card declined') });
	});

	it.each([
		['a 500', httpError(500)],
		['a time-out', networkError('ECONNABORTED', 'timeout of 300 ms exceeded')],
		['a reset', networkError('ECONNRESET', 'socket hang up')],
		['an error nobody knows', { message: 'something' }],
	])('%s leaves by Review: nobody knows', async (_name, error) => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effect: () => failed(error) });
		expect(run.counts('Seal')).toEqual([0, 0, 0, 1]);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'review', state: 'needs_review', reason: 'unknown' });
		const again = await claimRun({ ledger, items: [{ id: 'a' }] });
		expect(again.counts('Claim')).toEqual([0, 0, 0, 1]);
	});

	it('Destination Honors the Key turns an unknown outcome into a retry that only Take Over claims', async () => {
		const ledger = embeddedLedger();
		const claim = { whenLeaseExpires: 'take_over' };
		const run = await guardedRun({
			ledger,
			claim,
			effect: () => failed(httpError(503)),
			seal: { options: { destinationHonorsKey: true }, retry: { baseDelaySeconds: 0 } },
		});
		expect(run.counts('Seal')).toEqual([0, 1, 0, 0]);
		expect((await recordOf(ledger, key))!.unknownEarlier).toBe(true);
		const again = await guardedRun({ ledger, claim });
		expect(answers(again, OUT.sealed)[0]).toMatchObject({ status: 'sealed', attempt: 2 });
	});

	it('attempts used up: Failed, with the reason', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			claim: { maxAttempts: 1 },
			effect: () => failed(networkError('ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere')),
		});
		expect(answers(run, OUT.failed)[0]).toMatchObject({ state: 'permanent_failed', reason: 'attempts_exhausted' });
	});

	it('past the deadline: Failed, with the reason', async () => {
		const run = await guardedRun({
			ledger: embeddedLedger(),
			effect: () => failed(networkError('ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere')),
			seal: { retry: { deadlineHours: 0.0003, baseDelaySeconds: 80000, delayCapSeconds: 80000 } },
		});
		expect(answers(run, OUT.failed)[0]).toMatchObject({ reason: 'deadline' });
	});

	it.each([
		['success', OUT.sealed],
		['retryable', OUT.retry],
		['permanent', OUT.failed],
		['unknown', OUT.review],
	])('Outcome = %s is taken as given', async (outcome, output) => {
		const run = await guardedRun({ ledger: embeddedLedger(), seal: { outcome } });
		expect(run.items('Seal', output)).toHaveLength(1);
	});

	it.each([
		[true, {}, OUT.sealed],
		[false, {}, OUT.review],
		[undefined, {}, OUT.review],
		['true', {}, OUT.review],
		[false, { notSucceededAs: 'permanent' }, OUT.failed],
		[false, { notSucceededAs: 'retryable' }, OUT.retry],
		[false, { destinationHonorsKey: true }, OUT.retry],
	])('a 200 whose body says %s: Succeeded When decides (%j)', async (ok, options, output) => {
		const run = await guardedRun({
			ledger: embeddedLedger(),
			effect: () => ({ chargeId: 'ch_1', ...(ok === undefined ? {} : { ok }) }),
			seal: { options: { succeededWhen: '={{ $json.ok }}' as never, ...options } },
		});
		expect(run.items('Seal', output)).toHaveLength(1);
	});

	it('an error is an error, whatever Succeeded When says', async () => {
		const run = await guardedRun({ ledger: embeddedLedger(), effect: () => failed(httpError(422)), seal: { options: { succeededWhen: true } } });
		expect(run.counts('Seal')).toEqual([0, 0, 1, 0]);
	});

	it('codes of the user win over the defaults', async () => {
		const options = { permanentCodes: '409, NO_STOCK', retryableCodes: '503', unknownCodes: '404' };
		const outputOf = async (error: object) => {
			const run = await guardedRun({ ledger: embeddedLedger(), seal: { options }, effect: () => failed(error as never) });
			return run.counts('Seal').indexOf(1);
		};
		expect(await outputOf(httpError(409))).toBe(OUT.failed);
		expect(await outputOf(networkError('NO_STOCK'))).toBe(OUT.failed);
		expect(await outputOf(httpError(503))).toBe(OUT.retry);
		expect(await outputOf(httpError(404))).toBe(OUT.review);
	});

	it('another External ID for a key that succeeded: Review, and the record names it', async () => {
		const ledger = embeddedLedger();
		const first = await guardedRun({ ledger });
		const { token, attempt } = answers(first, OUT.sealed)[0];
		const second = await guardedRun({
			ledger,
			wires: [['Start', 'Seal']],
			items: [{ chargeId: 'ch_other' }],
			seal: { claimSource: 'keyAndToken', key, token: token as string, attempt: attempt as number },
		});
		expect(answers(second, OUT.review)[0]).toMatchObject({ status: 'review', detail: 'anomaly', anomalies: [{ externalId: 'ch_other' }] });
	});
});

describe('Seal: what is stored of a result', () => {
	it.each([
		['none', {}, null],
		['fields', { resultFields: 'chargeId, deep.id' }, { chargeId: 'ch_1', deep: { id: 7 } }],
		['whole', {}, { chargeId: 'ch_1', deep: { id: 7, more: 1 }, token: '[redacted]' }],
	])('Result to Store = %s', async (resultToStore, more, expected) => {
		const ledger = embeddedLedger();
		await guardedRun({
			ledger,
			effect: () => ({ chargeId: 'ch_1', deep: { id: 7, more: 1 }, token: 'canary' }),
			seal: { resultToStore, ...more },
		});
		const { result } = (await recordOf(ledger, key))!;
		if (resultToStore !== 'whole') return expect(result).toEqual(expected);
		expect(result).toMatchObject({ chargeId: 'ch_1', deep: { id: 7, more: 1 } });
		expect(JSON.stringify(result)).not.toContain('canary');
	});

	it('too large a result is replaced by a note, and the seal stands', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			effect: () => ({ chargeId: 'ch_1', text: 'x'.repeat(5000) }),
			seal: { resultToStore: 'whole', options: { maxResultKb: 1 } },
		});
		expect(answers(run, OUT.sealed)[0]).toMatchObject({ status: 'sealed', resultNote: expect.stringMatching(/\w/) });
		expect(JSON.stringify((await recordOf(ledger, key))!.result).length).toBeLessThan(1024);
	});
});
