import type { IExecuteFunctions } from 'n8n-workflow';

import { runTokens } from '../../../nodes/IdempotencyClaim/runTokens';

/** What n8n tells one try of one run of one node. */
function tryOf(signal: AbortSignal | undefined, changes: { executionId?: string; runIndex?: unknown; node?: string } = {}) {
	const { executionId = '7', runIndex = 0, node = 'Claim' } = changes;
	return {
		getExecutionCancelSignal: () => signal,
		getExecutionId: () => executionId,
		getNode: () => ({ id: `id-${node}`, name: node }),
		runIndex,
	} as unknown as IExecuteFunctions;
}

describe('tokens of a run', () => {
	const { signal } = new AbortController();
	const first = runTokens(tryOf(signal), false)('charge:1');

	it('are the same for another try of the same run', () => {
		expect(runTokens(tryOf(signal), false)('charge:1')).toBe(first);
	});

	it.each([
		['another key', tryOf(signal), 'charge:2'],
		['another round of a loop', tryOf(signal, { runIndex: 1 }), 'charge:1'],
		['another node', tryOf(signal, { node: 'Other' }), 'charge:1'],
		['another execution id', tryOf(signal, { executionId: '8' }), 'charge:1'],
		['the same execution id run again', tryOf(new AbortController().signal), 'charge:1'],
		['no signal', tryOf(undefined), 'charge:1'],
		['no run index', tryOf(signal, { runIndex: null }), 'charge:1'],
	])('are new for %s', (_name, context, key) => {
		expect(runTokens(context, false)(key)).not.toBe(first);
	});

	it('are one for each item of a batch with the same key, in order', () => {
		const batch = () => {
			const tokenFor = runTokens(tryOf(signal, { runIndex: 5 }), false);
			return [tokenFor('a'), tokenFor('a'), tokenFor('b')];
		};
		const tokens = batch();
		expect(new Set(tokens).size).toBe(3);
		expect(batch()).toEqual(tokens);
	});

	it('are new for every call of a tool: agents call side by side under one run index', () => {
		expect(runTokens(tryOf(signal), true)('charge:1')).not.toBe(runTokens(tryOf(signal), true)('charge:1'));
	});
});
