import type { IDataObject } from 'n8n-workflow';

import { embeddedLedger, recordOf } from '../claim/claimRun';
import { chain, node, runWorkflow, workflow } from '../../support/engine';
import { claimNode, nodeTypes, sealNode } from '../seal/guardedRun';

describe('an item with field names that JavaScript has a meaning for', () => {
	const text = '{"id":"a","__proto__":{"x":1},"constructor":"c","toString":"t","hasOwnProperty":1,"toJSON":2,"length":0}';

	it('goes through Claim and Seal as it is, also into the stored result and the replay', async () => {
		const ledger = embeddedLedger();
		const go = () =>
			runWorkflow({
				workflow: workflow(
					[
						node('Start', 'test.trigger'),
						claimNode({ fingerprintFields: '__proto__.x, constructor', options: { replayAs: 'json' } }),
						node('Effect', 'test.effect'),
						sealNode({ externalId: '', resultFields: '__proto__, constructor, toString' }),
					],
					chain('Start', 'Claim', 'Effect', 'Seal'),
				),
				effects: { Effect: () => JSON.parse(text) as IDataObject },
				input: [{ json: JSON.parse(text) as IDataObject, binary: { file: { data: 'YQ==', mimeType: 'text/plain' } } }],
				nodeTypes,
				credentials: { ledger },
			});
		const first = await go();
		expect(first.error).toBeUndefined();
		const { idempotency: claim, ...claimed } = first.json('Claim', 0)[0];
		expect(claim).toMatchObject({ status: 'claimed' });
		expect(JSON.stringify(claimed)).toBe(text);
		expect(first.items('Claim', 0)[0].binary).toMatchObject({ file: { mimeType: 'text/plain' } });
		expect(first.counts('Seal')).toEqual([1, 0, 0, 0]);
		expect(JSON.stringify((await recordOf(ledger, 'charge:a'))!.result)).toBe('{"__proto__":{"x":1},"constructor":"c","toString":"t"}');

		const again = await go();
		const { idempotency: done, ...replayed } = again.json('Claim', 1)[0];
		expect(done).toMatchObject({ status: 'done_before' });
		expect(JSON.stringify(replayed)).toBe('{"__proto__":{"x":1},"constructor":"c","toString":"t"}');
	});
});
