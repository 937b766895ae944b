import { seal, answers, claimRun, embeddedLedger, inLedger, OUT, recordOf } from './claimRun';

describe('Claim: where each item goes', () => {
	it('a new key is Claimed: the item as it came, plus the claim', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 'o-1', amount: 5 }] });
		expect(run.counts('Claim')).toEqual([1, 0, 0, 0]);
		const [item] = run.items('Claim', OUT.claimed);
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(item.json).toEqual({
			id: 'o-1',
			amount: 5,
			idempotency: {
				status: 'claimed',
				key: 'charge:o-1',
				operation: 'charge',
				businessId: 'o-1',
				scope: null,
				version: null,
				attempt: 1,
				maxAttempts: 5,
				state: 'processing',
				ephemeral: false,
				token: expect.stringMatching(/^[0-9a-f-]{36}$/),
				claimedBy: 'first',
				executionId: run.executionId,
				claimedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
				leaseExpiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			},
		});
		const record = await recordOf(ledger, 'charge:o-1');
		expect(record!.owner).toMatchObject({ workflowName: 'Workflow under test', executionId: run.executionId, nodeName: 'Claim' });
		expect(record!.leaseExpiresAt! - record!.createdAt).toBe(15 * 60_000);
		expect(record!.retentionSeconds).toBe(30 * 86_400);
	});

	it('a second run is In Progress, and learns who holds the claim, but not the token', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		const second = await claimRun({ ledger, items: [{ id: '1' }] });
		expect(second.counts('Claim')).toEqual([0, 0, 1, 0]);
		const [answer] = answers(second, OUT.inProgress);
		expect(answer).toMatchObject({ status: 'in_progress', key: 'charge:1', heldBy: { executionId: first.executionId } });
		expect(JSON.stringify(answer)).not.toContain((await recordOf(ledger, 'charge:1'))!.token);
	});

	it('what was sealed as succeeded is Done Before, with its result', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		await seal(ledger, answers(first, OUT.claimed)[0], { result: { id: 'ch_1', total: 5 } });
		const second = await claimRun({ ledger, items: [{ id: 1, extra: true }] });
		expect(second.counts('Claim')).toEqual([0, 1, 0, 0]);
		expect(second.json('Claim', OUT.doneBefore)[0]).toMatchObject({
			id: 1,
			extra: true,
			idempotency: {
				status: 'done_before',
				result: { id: 'ch_1', total: 5 },
				externalId: 'ch_1',
				completedAt: expect.stringMatching(/Z$/),
				doneBy: { executionId: first.executionId },
			},
		});
	});

	it('what nobody knows is in Review, with reason, words and revision', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		await seal(ledger, answers(first, OUT.claimed)[0], {
			word: 'unknown',
			error: { code: 'ECONNABORTED', httpStatus: null, message: 'timeout of 100 ms exceeded' },
		});
		const second = await claimRun({ ledger, items: [{ id: 1 }] });
		expect(second.counts('Claim')).toEqual([0, 0, 0, 1]);
		expect(answers(second, OUT.review)[0]).toMatchObject({
			status: 'review',
			state: 'needs_review',
			reason: 'unknown',
			message: expect.stringContaining('Idempotency Seal'),
			revision: expect.any(Number),
			lastError: { code: 'ECONNABORTED', at: expect.stringMatching(/Z$/) },
		});
	});

	it('a permanent failure is in Review and is not tried again', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		await seal(ledger, answers(first, OUT.claimed)[0], { word: 'permanent' });
		const second = await claimRun({ ledger, items: [{ id: 1 }] });
		expect(answers(second, OUT.review)[0]).toMatchObject({ status: 'review', state: 'permanent_failed', message: expect.stringContaining('for good') });
	});

	it('the same key with another payload is a conflict in Review', async () => {
		const ledger = embeddedLedger();
		const parameters = { fingerprintFields: 'amount, customer.id' };
		await claimRun({ ledger, parameters, items: [{ id: 1, amount: 5, customer: { id: 'c' } }] });
		const second = await claimRun({ ledger, parameters, items: [{ id: 1, amount: 6, customer: { id: 'c' } }] });
		expect(answers(second, OUT.review)[0]).toMatchObject({
			status: 'review',
			reason: 'conflict',
			conflict: 'payload_differs',
			message: expect.stringContaining('amount'),
		});
		const third = await claimRun({ ledger, items: [{ id: 1, amount: 5 }] });
		expect(answers(third, OUT.review)[0]).toMatchObject({ conflict: 'fingerprint_missing' });
		const fourth = await claimRun({ ledger, parameters: { fingerprintFields: 'amount' }, items: [{ id: 1, amount: 5 }] });
		expect(answers(fourth, OUT.review)[0]).toMatchObject({ conflict: 'fields_differ' });
	});

	it('a retry that is not due is In Progress with the time; a due one is claimed as the next attempt', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		await seal(ledger, answers(first, OUT.claimed)[0], { word: 'retryable', retryDelayMs: 60_000 });
		const early = await claimRun({ ledger, items: [{ id: 1 }] });
		const [answer] = answers(early, OUT.inProgress);
		expect(answer).toMatchObject({ status: 'in_progress', state: 'retryable_failed', retryAt: expect.stringMatching(/Z$/) });
		expect(answer.retryInMs).toBeGreaterThan(50_000);
		expect(answer.retryInMs).toBeLessThanOrEqual(60_000);
	});

	it('the last two seconds of a retry delay are sat out', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 1 }] });
		await seal(ledger, answers(first, OUT.claimed)[0], { word: 'retryable', retryDelayMs: 700 });
		const second = await claimRun({ ledger, items: [{ id: 1 }] });
		expect(answers(second, OUT.claimed)[0]).toMatchObject({ status: 'claimed', attempt: 2, claimedBy: 'retry' });
	});

	it('an expired lease goes to Review, or is taken over when both sides said so', async () => {
		const ledger = embeddedLedger();
		const review = { leaseMinutes: 0.01 };
		await claimRun({ ledger, parameters: review, items: [{ id: 1 }] });
		const takeOver = { leaseMinutes: 0.01, whenLeaseExpires: 'take_over' };
		await claimRun({ ledger, parameters: takeOver, items: [{ id: 2 }] });
		await new Promise((resolve) => setTimeout(resolve, 700));
		const later = await claimRun({ ledger, parameters: takeOver, items: [{ id: 1 }, { id: 2 }] });
		expect(answers(later, OUT.review)[0]).toMatchObject({ key: 'charge:1', reason: 'lease_expired' });
		expect(answers(later, OUT.claimed)[0]).toMatchObject({ key: 'charge:2', attempt: 2, claimedBy: 'takeover' });
	});

	it('all items in one run, each to its output, in order', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 'done' }, { id: 'held' }] });
		await seal(ledger, answers(first, OUT.claimed)[0]);
		const run = await claimRun({ ledger, items: [{ id: 'new' }, { id: 'done' }, { id: 'held' }, { id: 'newer' }] });
		expect(run.counts('Claim')).toEqual([2, 1, 1, 0]);
		expect(run.items('Claim', OUT.claimed).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
		expect(run.items('Claim', OUT.doneBefore)[0].pairedItem).toEqual({ item: 1 });
	});

	it('of two items with one key the first is claimed, and the second says which item holds it', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 'a' }, { id: 'b' }, { id: 'a' }], options: { waitSeconds: 30 } });
		expect(run.counts('Claim')).toEqual([2, 0, 1, 0]);
		expect(answers(run, OUT.inProgress)[0]).toMatchObject({
			key: 'charge:a',
			heldByItem: 0,
			message: expect.stringContaining('Item 0'),
		});
	});

	it('ten runs at once: one of them holds the claim', async () => {
		const ledger = embeddedLedger();
		const runs = await Promise.all(Array.from({ length: 10 }, () => claimRun({ ledger, items: [{ id: 1 }] })));
		expect(runs.map((run) => run.counts('Claim')[OUT.claimed]).reduce((a, b) => a + b)).toBe(1);
		expect(runs.map((run) => run.counts('Claim')[OUT.inProgress]).reduce((a, b) => a + b)).toBe(9);
		expect((await recordOf(ledger, 'charge:1'))!.counters.duplicates).toBe(9);
	});

	it('binary data goes along', async () => {
		const ledger = embeddedLedger();
		const binary = { data: { data: 'aGk=', mimeType: 'text/plain' } };
		const run = await claimRun({
			ledger,
			items: undefined as never,
			input: [{ json: { id: 1 }, binary }],
		});
		expect(run.items('Claim', OUT.claimed)[0].binary).toMatchObject(binary);
	});

	it('an execution without id (MCP trigger) claims; the key is noted in the execution’s custom data', async () => {
		const ledger = embeddedLedger();
		const run = await claimRun({ ledger, items: [{ id: 1 }], executionId: null });
		expect(answers(run, OUT.claimed)[0]).toMatchObject({ executionId: null });
		expect(run.run.data.resultData.metadata).toEqual({ idempotency_key: 'charge:1' });
		expect(await inLedger(ledger, (store) => store.purge(1))).toBe(0);
	});
});
