import { chain, failed, httpError, node, type Wire } from '../../../support/engine';
import { claimNode, effect, sealNode, start, type LineageCase } from '../lineageCase';

const loop = (batchSize = 1) => node('Loop', 'test.loop', { batchSize });
/** Start, Claim, Loop; inside: Effect, Seal, and back. */
const claimBeforeLoop: Wire[] = [...chain('Start', 'Claim', 'Loop'), ['Loop', 1, 'Effect'], ...chain('Effect', 'Seal', 'Loop')];

export const loopCases: LineageCase[] = [
	{
		shows: 'a whole guard inside a loop',
		nodes: [start('a', 'b', 'c'), loop(), claimNode(), effect(), sealNode()],
		wires: [['Start', 'Loop'], ['Loop', 1, 'Claim'], ...chain('Claim', 'Effect', 'Seal', 'Loop')],
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
	},
	{
		shows: 'Claim before the loop, effect and Seal inside, one item a round',
		nodes: [start('a', 'b', 'c'), claimNode(), loop(), effect(), sealNode()],
		wires: claimBeforeLoop,
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
		findings: (all) => expect(all.every(({ claims }) => !claims.alreadySealed)).toBe(true),
	},
	{
		shows: 'the same with two items a round',
		nodes: [start('a', 'b', 'c'), claimNode(), loop(2), effect(), sealNode()],
		wires: claimBeforeLoop,
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
	},
	{
		shows: 'Claim before the loop, Seal after it: every item of the done output has its own claim',
		nodes: [start('a', 'b', 'c'), claimNode(), loop(2), effect(), sealNode()],
		wires: [...chain('Start', 'Claim', 'Loop', 'Seal'), ['Loop', 1, 'Effect'], ['Effect', 'Loop']],
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
	},
	{
		shows: 'Seal inside the loop, an outer Seal after it',
		nodes: [start('a', 'b'), claimNode('Outer'), loop(), claimNode('Inner', { businessId: '={{ $json.id }}-inner' }), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: [...chain('Start', 'Outer', 'Loop', 'Seal outer'), ['Loop', 1, 'Inner'], ...chain('Inner', 'Effect', 'Seal inner', 'Loop')],
		seals: { 'Seal inner': ['Sealed: a-inner', 'Sealed: b-inner'], 'Seal outer': ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'the retry way: Seal, Wait, back to Claim; the second attempt is the one that is sealed',
		nodes: [
			start('a'),
			claimNode('Claim', { businessId: 'a' }),
			effect('Effect', { onError: 'continueRegularOutput' }),
			sealNode('Seal', { retry: { baseDelaySeconds: 0, delayCapSeconds: 0 } }),
			node('Wait', 'test.wait', { ms: 300 }),
		],
		wires: [...chain('Start', 'Claim', 'Effect', 'Seal'), ['Seal', 1, 'Wait'], ['Wait', 'Claim']],
		effects: { Effect: failingUntil(2) },
		seals: { Seal: ['Retry: a', 'Sealed: a'] },
		findings: (all) => expect(all.map(({ claims }) => claims.claims[0].handle.attempt)).toEqual([1, 2]),
	},
	{
		shows: 'polling in a circle between Claim and Seal: the item is followed round by round',
		nodes: [start('a'), claimNode(), effect(), node('Ready?', 'test.if', { condition: '={{ $json.ready }}' }), node('Wait', 'test.wait'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Effect', 'Ready?', 'Seal'), ['Ready?', 1, 'Wait'], ['Wait', 'Effect']],
		effects: { Effect: readyAfter(4) },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'Split Out before a loop around one claim: sealed in the first round, and again in the next (documented)',
		nodes: [start({ id: 'a', lines: [{ n: 1 }, { n: 2 }] }), claimNode(), node('Split', 'test.splitOut'), loop(), effect(), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Loop'), ['Loop', 1, 'Effect'], ...chain('Effect', 'Seal', 'Loop')],
		seals: { Seal: ['Sealed: a', 'Sealed: a'] },
	},
];

function failingUntil(call: number) {
	let calls = 0;
	return () => (++calls < call ? failed(httpError(429)) : { ok: true });
}

function readyAfter(calls: number) {
	let left = calls;
	return () => ({ ready: --left <= 0 });
}
