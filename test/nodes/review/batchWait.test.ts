import { answers, claimRun, embeddedLedger, OUT, seal } from '../claim/claimRun';

describe('Claim: two items of one batch that wait for the same key', () => {
	it('after a retry delay: the first is claimed, the second doesn’t wait for it', async () => {
		const ledger = embeddedLedger();
		const first = await claimRun({ ledger, items: [{ id: 'a' }] });
		const failure = { word: 'retryable', externalId: null, result: null, retryDelayMs: 300 } as const;
		await seal(ledger, answers(first, OUT.claimed)[0], failure);
		const begun = performance.now();
		const run = await claimRun({ ledger, items: [{ id: 'a' }, { id: 'a' }], options: { waitSeconds: 20 } });
		expect(performance.now() - begun).toBeLessThan(5_000);
		expect(run.counts('Claim')).toEqual([1, 0, 1, 0]);
		expect(answers(run, OUT.inProgress)[0]).toMatchObject({ status: 'in_progress', heldByItem: 0 });
	});

	it('after another run’s lease: taken over once', async () => {
		const ledger = embeddedLedger();
		const parameters = { whenLeaseExpires: 'take_over' };
		await claimRun({ ledger, items: [{ id: 'a' }], parameters: { ...parameters, leaseMinutes: 0.01 } });
		const begun = performance.now();
		const run = await claimRun({ ledger, items: [{ id: 'a' }, { id: 'a' }], parameters, options: { waitSeconds: 20 } });
		expect(performance.now() - begun).toBeLessThan(5_000);
		expect(run.counts('Claim')).toEqual([1, 0, 1, 0]);
		expect(answers(run, OUT.inProgress)[0]).toMatchObject({ heldByItem: 0 });
	});
});
