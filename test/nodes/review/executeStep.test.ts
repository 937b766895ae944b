import { embeddedLedger, recordOf } from '../claim/claimRun';
import { failed, httpError, networkError } from '../../support/engine';
import { guardedRun, OUT } from '../seal/guardedRun';

/**
 * Execute step in the editor: n8n starts at one node, with the run data of the execution before, so the
 * claim is of that execution and the effect may be a repeated one. As with the Retry button, a refused
 * second call doesn't tell that the first one did nothing.
 */
describe('Seal after Execute step', () => {
	const stepTwice = async (second: Parameters<typeof failed>[0] | null) => {
		const ledger = embeddedLedger();
		let calls = 0;
		const effect = () => {
			calls += 1;
			if (calls === 1) return failed(networkError('ECONNRESET'));
			return second === null ? { chargeId: 'ch_a' } : failed(second);
		};
		const first = await guardedRun({ ledger, mode: 'manual', effect, effectSettings: { onError: 'stopWorkflow' } });
		const run = await guardedRun({ ledger, mode: 'manual', effect, retryOf: first });
		expect(calls).toBe(2);
		return { run, record: await recordOf(ledger, 'charge:a') };
	};

	it.each([
		['a refused connection', networkError('ECONNREFUSED')],
		['a 422', httpError(422)],
	])('%s of the repeated call doesn’t free or close the key', async (_, error) => {
		const { run, record } = await stepTwice(error);
		expect(run.counts('Seal')).toEqual([0, 0, 0, 1]);
		expect(run.items('Seal', OUT.review)).toHaveLength(1);
		expect(record).toMatchObject({ state: 'needs_review', reason: 'effect_rerun' });
	});

	it('a success is a success', async () => {
		const { run, record } = await stepTwice(null);
		expect(run.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(record).toMatchObject({ state: 'succeeded', externalId: 'ch_a' });
	});

	it('a manual run that claimed itself keeps the usual outcomes', async () => {
		const ledger = embeddedLedger();
		await guardedRun({ ledger, mode: 'manual', effect: () => failed(networkError('ECONNREFUSED')) });
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'retryable_failed' });
	});

	it('Release of a claim of an earlier execution goes to Review', async () => {
		const ledger = embeddedLedger();
		const effect = () => failed(networkError('ECONNRESET'));
		const first = await guardedRun({ ledger, mode: 'manual', effect, effectSettings: { onError: 'stopWorkflow' } });
		const run = await guardedRun({ ledger, mode: 'manual', effect, seal: { operation: 'release' }, retryOf: first });
		expect(run.counts('Seal')).toEqual([0, 0, 0, 1]);
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'needs_review', reason: 'effect_rerun' });
	});
});
