import type { OnError } from 'n8n-workflow';

import { failed, httpError, node } from '../../support/engine';
import { embeddedLedger, recordOf } from '../claim/claimRun';
import { answers, guardedRun, OUT, type GuardedRun } from './guardedRun';

const continued: OnError[] = ['continueRegularOutput', 'continueErrorOutput'];

const troubles: Array<[string, Partial<GuardedRun>, RegExp]> = [
	['the credential missing', { sealSettings: { credentials: undefined } }, /credential/i],
	['Claim disabled', { claimSettings: { disabled: true } }, /disabled|claimed/i],
	['no Claim before it', { wires: [['Start', 'Effect'], ['Effect', 'Seal']] }, /claim/i],
	['items from Claim’s In Progress output', { wires: [['Start', 'Claim'], ['Claim', 2, 'Effect'], ['Effect', 'Seal']], items: [{ id: 'a' }, { id: 'a' }] }, /claim/i],
	['an Output Field that n8n reads', { seal: { options: { outputField: 'error' } } }, /Output Field/],
	['an absurd retry delay after a failure', { effect: () => failed(httpError(429)), seal: { retry: { baseDelaySeconds: -1 } } }, /Base Delay/],
	['an unknown Outcome', { seal: { outcome: 'maybe' } }, /Outcome/],
	['a key that isn’t one', { seal: { claimSource: 'keyAndToken', key: 'nonsense', token: 't', attempt: 1 } }, /Key/],
	['an empty token', { seal: { claimSource: 'keyAndToken', key: 'charge:a', token: ' ', attempt: 1 } }, /Token/],
	['a field without a claim', { seal: { claimSource: 'item', claimField: 'nowhere' } }, /nowhere/],
];

describe.each(troubles)('Seal with %s seals nothing as done', (_name, given, text) => {
	it('On Error = Stop: an error that says what happened and what to do', async () => {
		const run = await guardedRun({ ledger: embeddedLedger(), ...given });
		expect(run.status).toBe('error');
		expect(run.error!.message).toMatch(text);
		expect((run.error as { description?: string }).description).toMatch(/\w/);
	});

	it.each(continued)('On Error = %s: nothing on Sealed', async (onError) => {
		const sealSettings = { ...given.sealSettings, onError };
		const run = await guardedRun({ ledger: embeddedLedger(), ...given, sealSettings });
		expect(run.status).toBe('success');
		expect(run.items('Seal', OUT.sealed)).toEqual([]);
		expect(run.items('Seal', onError === 'continueErrorOutput' ? OUT.error : OUT.review).length).toBeGreaterThan(0);
	});
});

describe('Seal: fail closed', () => {
	it.each(['stopWorkflow', ...continued] as OnError[])('refuses to run with Always Output Data (On Error = %s)', async (onError) => {
		const run = await guardedRun({ ledger: embeddedLedger(), sealSettings: { alwaysOutputData: true, onError } });
		expect(run.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
		expect(run.runData.Seal.at(-1)?.data?.main?.[OUT.sealed] ?? []).toEqual([]);
	});

	it('a pinned effect isn’t taken as a success', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			mode: 'manual',
			pinData: { Effect: [{ json: { chargeId: 'pinned' } }] },
		});
		expect(run.status).toBe('error');
		expect(run.error!.message).toMatch(/pinned/);
		expect((await recordOf(ledger, 'charge:a'))!.state).toBe('processing');
	});

	it('a disabled effect isn’t taken as a success', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({ ledger, effectSettings: { disabled: true } });
		expect(run.error!.message).toMatch(/disabled/);
		expect((await recordOf(ledger, 'charge:a'))!.state).toBe('processing');
	});

	it('an item whose claim is lost doesn’t keep the others from being sealed', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			items: [{ id: 'a' }, { id: 'b' }],
			nodes: [node('Code', 'test.code')],
			wires: [['Start', 'Claim'], ['Claim', 'Effect'], ['Effect', 'Code'], ['Code', 'Seal']],
			code: {
				// Two items for three: the second one's link goes nowhere, and n8n can't guess by position.
				Code: (items) => [items[0], { json: { ...items[1].json }, pairedItem: { item: 99 } }, { json: {}, pairedItem: { item: 98 } }].slice(0, 2),
			},
			sealSettings: { onError: 'continueRegularOutput' },
		});
		expect(answers(run, OUT.sealed)).toHaveLength(1);
		expect(answers(run, OUT.review)[0]).toMatchObject({ status: 'error', code: 'CLAIM_LINK_LOST' });
		expect((await recordOf(ledger, 'charge:a'))!.state).toBe('succeeded');
		expect((await recordOf(ledger, 'charge:b'))!.state).toBe('processing');
	});

	it('Retry On Fail of Seal seals once', async () => {
		const ledger = embeddedLedger();
		const run = await guardedRun({
			ledger,
			effect: () => failed(httpError(422)),
			sealSettings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(run.counts('Seal')).toEqual([0, 0, 1, 0]);
		expect((await recordOf(ledger, 'charge:a'))!.revision).toBe(2);
	});
});
