import { failed, httpError, node } from '../../support/engine';
import { embeddedLedger, recordOf, claimRun } from '../claim/claimRun';
import { answers, guardedRun, OUT, sealNode } from './guardedRun';

describe('Extend Lease', () => {
	it('prolongs the lease, keeps the item claimed, and Seal behind the effect still finds its claim', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			claim: { leaseMinutes: 1 },
			nodes: [sealNode({ operation: 'extend', extendMinutes: 60 }, {}, 'Extend')],
			wires: [['Start', 'Claim'], ['Claim', 'Extend'], ['Extend', 'Effect'], ['Effect', 'Seal']],
		});
		const [extended] = answers(run, OUT.sealed, 'Extend');
		expect(extended).toMatchObject({ status: 'claimed', outcome: 'extended', key: 'charge:a' });
		expect(Date.parse(extended.leaseExpiresAt as string) - Date.now()).toBeGreaterThan(55 * 60_000);
		expect(answers(run, OUT.sealed)[0]).toMatchObject({ status: 'sealed' });
	});

	it('of a claim that is sealed: Review, says so', async () => {
		const run = await guardedRun({
			ledger: embeddedLedger(),
			nodes: [sealNode({ operation: 'extend', extendMinutes: 1 }, {}, 'Extend')],
			wires: [['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 'Seal'], ['Seal', 'Extend']],
		});
		expect(answers(run, OUT.review, 'Extend')[0]).toMatchObject({ status: 'review', outcome: 'already_sealed' });
	});

	it.each([0, -5, 'soon'])('refuses Extend By = %s', async (extendMinutes) => {
		const run = await guardedRun({
			ledger: embeddedLedger(),
			seal: { operation: 'extend', extendMinutes: extendMinutes as number },
		});
		expect(run.error!.message).toMatch(/Extend By/);
	});
});

describe('Release', () => {
	it('gives the claim back, so that the next one gets it at once', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, seal: { operation: 'release' } });
		expect(answers(run, OUT.sealed)[0]).toMatchObject({ status: 'released', outcome: 'released' });
		expect(await recordOf(ledger, 'charge:a')).toBeNull();
		expect((await claimRun({ ledger, items: [{ id: 'a' }] })).counts('Claim')).toEqual([1, 0, 0, 0]);
	});
});

describe('Resolve', () => {
	const inReview = async () => {
		const ledger = embeddedLedger();
		await guardedRun({ ledger, effect: () => failed(httpError(500)) });
		return { ledger, record: (await recordOf(ledger, 'charge:a'))! };
	};
	const resolve = (parameters: object) => ({
		nodes: [node('Decide', 'test.trigger', { items: [{}] as never })],
		wires: [['Decide', 'Seal']] as never,
		startNode: 'Decide',
		seal: { operation: 'resolve', recordKey: 'charge:a', decidedBy: 'nathan', decisionReason: 'looked it up', ...parameters },
	});

	it('as succeeded: the next claim gets the result that was given', async () => {
		const { ledger, record } = await inReview();
		const given = { recordToken: record.token, recordRevision: record.revision, decision: 'succeeded', resolvedResult: '{"chargeId":"ch_9"}', resolvedExternalId: 'ch_9' };
		const run = await guardedRun({ ledger, ...resolve(given) });
		expect(answers(run, OUT.sealed)[0]).toMatchObject({ status: 'sealed', outcome: 'resolved', state: 'succeeded' });
		const again = await claimRun({ ledger, items: [{ id: 'a' }] });
		expect(again.json('Claim', 1)[0].idempotency).toMatchObject({ status: 'done_before', result: { chargeId: 'ch_9' }, externalId: 'ch_9' });
		expect((await recordOf(ledger, 'charge:a'))!.history.at(-1)).toMatchObject({ note: 'resolved: succeeded', kept: { who: 'nathan', why: 'looked it up' } });
	});

	it('as may be retried: the next claim gets it', async () => {
		const { ledger, record } = await inReview();
		const run = await guardedRun({ ledger, ...resolve({ recordToken: record.token, recordRevision: record.revision, decision: 'retry' }) });
		expect(answers(run, OUT.retry)[0]).toMatchObject({ state: 'retryable_failed', reason: 'decided' });
		expect((await guardedRun({ ledger })).counts('Seal')).toEqual([1, 0, 0, 0]);
	});

	it('on another revision than the present one: Review, nothing decided', async () => {
		const { ledger, record } = await inReview();
		const run = await guardedRun({ ledger, ...resolve({ recordToken: record.token, recordRevision: record.revision - 1, decision: 'failed' }) });
		expect(answers(run, OUT.review)[0]).toMatchObject({ outcome: 'stale_decision' });
		expect((await recordOf(ledger, 'charge:a'))!.state).toBe('needs_review');
	});

	it.each([
		['who decided', { decidedBy: '={{ "" }}' }, /Decided By/],
		['why', { decisionReason: ' ' }, /Reason/],
		['the key', { recordKey: '={{ "" }}' }, /Key/],
		['valid JSON', { resolvedResult: '{no' }, /JSON/],
		['a known decision', { decision: 'perhaps' }, /Decision/],
	])('refuses to decide without %s', async (_name, parameters, text) => {
		const { ledger, record } = await inReview();
		const run = await guardedRun({ ledger, ...resolve({ recordToken: record.token, recordRevision: record.revision, decision: 'succeeded', ...parameters }) });
		expect(run.error!.message).toMatch(text);
	});
});
