import type { IDataObject } from 'n8n-workflow';

import { embeddedLedger, recordOf } from '../claim/claimRun';
import { chain, node } from '../../support/engine';
import { guardedRun } from '../seal/guardedRun';

/** What an Aggregate took up counts by the same rules as what arrives at Seal itself. */
describe('Seal behind an Aggregate', () => {
	const states = async (answer: (id: string) => IDataObject) => {
		const ledger = embeddedLedger();
		await guardedRun({
			ledger,
			items: [{ id: 'a' }, { id: 'b' }],
			effect: ({ json }) => answer(String(json.id)),
			nodes: [node('Aggregate', 'test.aggregate')],
			wires: chain('Start', 'Claim', 'Effect', 'Aggregate', 'Seal'),
		});
		return [(await recordOf(ledger, 'charge:a'))?.state, (await recordOf(ledger, 'charge:b'))?.state];
	};
	const response = (statusCode: number) => ({ statusCode, headers: {}, body: {}, statusMessage: '' });

	it.each([[''], [0], [[]], [null]])('an API’s empty `error` (%j) is no failure', async (error) => {
		expect(await states((id) => ({ chargeId: id, error: error as never }))).toEqual(['succeeded', 'succeeded']);
	});

	it('a response that is no final answer doesn’t become a success', async () => {
		expect(await states((id) => response(id === 'a' ? 302 : 200))).toEqual(['needs_review', 'succeeded']);
	});

	it('a business field called statusCode is no response', async () => {
		expect(await states(() => ({ statusCode: 404, headers: 'none' }))).toEqual(['succeeded', 'succeeded']);
	});
});
