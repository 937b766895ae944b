import { chain, failed, httpError, node } from '../../../support/engine';
import { claimNode, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const straight = chain('Start', 'Claim', 'Effect', 'Seal');

export const straightCases: LineageCase[] = [
	{
		shows: 'an effect that replaces all JSON: Seal still finds the claim',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => {
			expect(claims).toMatchObject({ alreadySealed: false, carried: false, pinned: false, onlyDisabledBetween: false, isGhost: false, sawPath: true });
			expect(claims.claims[0]).toMatchObject({ claimNode: 'Claim', handle: { businessId: 'a', attempt: 1 }, sideways: { errors: 0, successes: 0, ghosts: 0 } });
		},
	},
	{
		shows: 'several items: each finds its own claim',
		nodes: [start('a', 'b', 'c'), claimNode(), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
	},
	{
		shows: 'a chain of nodes between, one of which keeps nothing of the item',
		nodes: [start('a', 'b'), claimNode(), effect(), node('Only', 'test.set', { values: { x: 1 }, keepOnlySet: true }), noOp('Pass'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Only', 'Pass', 'Seal'),
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'an effect that returns no item for one claim: the others are sealed, that one is left',
		nodes: [start('a', 'b', 'c'), claimNode(), effect(), sealNode()],
		wires: straight,
		effects: { Effect: ({ json }) => (json.id === 'b' ? [] : { ok: true }) },
		seals: { Seal: ['Sealed: a', 'Sealed: c'] },
	},
	{
		shows: 'a Filter before the effect moves the positions: links count, not positions',
		nodes: [start('a', 'b', 'c'), claimNode(), node('Filter', 'test.filter', { condition: '={{ $json.id !== "a" }}' }), effect(), sealNode()],
		wires: chain('Start', 'Claim', 'Filter', 'Effect', 'Seal'),
		seals: { Seal: ['Sealed: b', 'Sealed: c'] },
	},
	{
		shows: 'two branches of an IF come together in one Seal',
		nodes: [start('a', 'b'), claimNode(), node('If', 'test.if', { condition: '={{ $json.id === "b" }}' }), effect('Yes'), effect('No'), sealNode()],
		wires: [...chain('Start', 'Claim', 'If', 'Yes', 'Seal'), ['If', 1, 'No'], ['No', 'Seal']],
		seals: { Seal: ['Sealed: b', 'Sealed: a'] },
	},
	{
		shows: 'a duplicate in the batch is In Progress and comes to no Seal',
		nodes: [start('a', 'a', 'b'), claimNode(), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: "Claim's output field has a name of its own",
		nodes: [start('a'), claimNode('Claim', { options: { outputField: 'guard' } }), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: "Claim's output field is an expression: its handle is looked for in the item",
		nodes: [start('a'), claimNode('Claim', { options: { outputField: '={{ "guard_" + $json.id }}' } }), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'node names that break expressions, or that every object has',
		nodes: [start('a'), claimNode('constructor', { operation: 'op' }), effect('{{ $("toString") }} \'"'), noOp('valueOf'), sealNode()],
		wires: chain('Start', 'constructor', '{{ $("toString") }} \'"', 'valueOf', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'nothing between Claim and Seal: still that claim',
		nodes: [start('a'), claimNode(), sealNode()],
		wires: chain('Start', 'Claim', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.onlyDisabledBetween).toBe(false),
	},
	{
		shows: 'binary mode combined, where expressions give nothing',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: straight,
		more: { settings: { executionOrder: 'v1', binaryMode: 'combined' } as never },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'execution order v0 of old workflows',
		nodes: [start('a', 'b'), claimNode(), effect(), sealNode()],
		wires: straight,
		more: { settings: { executionOrder: 'v0' } },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'Retry On Fail of the effect leaves one claim',
		nodes: [start('a'), claimNode(), effect('Effect', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }), sealNode()],
		wires: straight,
		effects: { Effect: onceFailing() },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'the Retry button starts at the failed effect: Seal finds the claim of the first execution',
		nodes: [start('a', 'b'), claimNode(), effect(), sealNode()],
		wires: straight,
		effects: { Effect: () => failed(httpError(500)) },
		retryWith: { Effect: () => ({ ok: true }) },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'On Error = Continue, one wire: failed and good items each go to their own claim',
		nodes: [start('a', 'b', 'c'), claimNode(), effect('Effect', { onError: 'continueRegularOutput' }), sealNode()],
		wires: straight,
		effects: { Effect: ({ json }) => (json.id === 'b' ? failed(httpError(422)) : { ok: true }) },
		seals: { Seal: ['Sealed: a', 'Sealed: c', 'Failed: b'] },
	},
	{
		shows: 'error output and success output into one Seal: it runs twice, each item to its own claim, none is mixed',
		nodes: [start('a', 'b'), claimNode(), effect('Effect', { onError: 'continueErrorOutput' }), sealNode()],
		wires: [...straight, ['Effect', 1, 'Seal']],
		effects: { Effect: ({ json }) => (json.id === 'b' ? failed(httpError(422)) : { ok: true }) },
		seals: { Seal: ['Failed: b', 'Sealed: a'] },
	},
];

function onceFailing() {
	let calls = 0;
	return () => (++calls === 1 ? failed(httpError(503)) : { ok: true });
}
