import { embeddedLedger } from '../claim/claimRun';
import { guardedRun } from './guardedRun';

describe('Seal: hints in manual runs', () => {
	const manual = { mode: 'manual' as const };

	it('an effect that stops the workflow, and one that n8n repeats', async () => {
		const run = await guardedRun({ ledger: embeddedLedger(), ...manual, effectSettings: { onError: undefined, retryOnFail: true } });
		expect(run.hints('Seal')).toEqual([
			expect.stringMatching(/"Effect" stops the workflow.*On Error to Continue/),
			expect.stringMatching(/Retry On Fail of "Effect"/),
		]);
	});

	it('Destination Honors the Key without Take Over', async () => {
		const seal = { options: { destinationHonorsKey: true } };
		const without = await guardedRun({ ledger: embeddedLedger(), ...manual, seal });
		expect(without.hints('Seal')).toEqual([expect.stringMatching(/"Claim".*Take Over/)]);
		const both = await guardedRun({ ledger: embeddedLedger(), ...manual, seal, claim: { whenLeaseExpires: 'take_over' } });
		expect(both.hints('Seal')).toEqual([]);
	});

	it('none in production, and none where nothing is wrong', async () => {
		expect((await guardedRun({ ledger: embeddedLedger(), effectSettings: { onError: undefined } })).hints('Seal')).toEqual([]);
		expect((await guardedRun({ ledger: embeddedLedger(), ...manual })).hints('Seal')).toEqual([]);
	});
});
