import { embeddedLedger, recordOf } from '../claim/claimRun';
import { failed, httpError, networkError } from '../../support/engine';
import { answers, guardedRun, OUT } from '../seal/guardedRun';

/** The effects of the other items have happened: their outcomes must not be lost for one item's settings. */
describe('Seal: a retry setting that one item’s expression spoils', () => {
	const spoilt = { retry: { baseDelaySeconds: '={{ $json.chargeId ? "soon" : $json.error.wait }}' } };
	const effect = ({ json }: { json: { id?: unknown } }) => {
		if (json.id === 'a') return { chargeId: 'ch_a' };
		return failed({ ...networkError('ECONNREFUSED'), wait: json.id === 'b' ? 'soon' : 7 });
	};

	it.each(['continueRegularOutput', 'stopWorkflow'] as const)('%s: the others are sealed', async (onError) => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], effect, seal: spoilt, sealSettings: { onError } });
		expect(await recordOf(ledger, 'charge:a')).toMatchObject({ state: 'succeeded', externalId: 'ch_a' });
		expect(await recordOf(ledger, 'charge:b')).toMatchObject({ state: 'processing' });
		expect(await recordOf(ledger, 'charge:c')).toMatchObject({ state: 'retryable_failed' });
		if (onError === 'stopWorkflow') {
			expect(run.error).toMatchObject({ message: expect.stringContaining('Base Delay'), context: { itemIndex: 1 } });
			return;
		}
		expect(run.counts('Seal')).toEqual([1, 1, 0, 1]);
		expect(answers(run, OUT.review)).toEqual([expect.objectContaining({ status: 'error', code: 'INVALID_PARAMETER' })]);
	});

	it('all of them spoilt: nothing is asked of the ledger, and nothing gets out on Sealed', async () => {
		const ledger = embeddedLedger();
		const seal = { retry: { deadlineHours: -1 } };
		const run = await guardedRun({ ledger, effect: () => failed(httpError(422)), seal, sealSettings: { onError: 'continueRegularOutput' } });
		expect(run.counts('Seal')).toEqual([0, 0, 0, 1]);
	});
});
