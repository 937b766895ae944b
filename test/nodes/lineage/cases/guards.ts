import { chain, node } from '../../../support/engine';
import { claimNode, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const straight = chain('Start', 'Claim', 'Effect', 'Seal');
const oldHandle = { status: 'claimed', key: 'claim:old', token: 'old', attempt: 1, operation: 'claim', businessId: 'old', scope: null, version: null, executionId: '0', ephemeral: false };

export const guardCases: LineageCase[] = [
	{
		shows: 'a disabled Claim passes its input on: nothing was claimed',
		nodes: [start('a'), claimNode('Claim', {}, { disabled: true }), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Review: -'] },
		text: /Claim.* is disabled, so it passed its input on and nothing was claimed/,
	},
	{
		shows: 'a disabled Claim behind an enabled one: the enabled one is found',
		nodes: [start('a'), claimNode('Outer'), claimNode('Claim', {}, { disabled: true }), effect(), sealNode()],
		wires: chain('Start', 'Outer', 'Claim', 'Effect', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'every node between is disabled: found, and not a success by itself',
		nodes: [start('a'), claimNode(), effect('Effect', { disabled: true }), noOp('Pass', { disabled: true }), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Pass', 'Seal'),
		seals: { Seal: ['Review: -'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ onlyDisabledBetween: true, pinned: false, claims: [{ claimNode: 'Claim' }] }),
	},
	{
		shows: 'one of two nodes between is disabled: the other ran',
		nodes: [start('a'), claimNode(), effect('Effect', { disabled: true }), effect('Other'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Other', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.onlyDisabledBetween).toBe(false),
	},
	{
		shows: 'nested guards around a disabled effect: neither claim saw an effect',
		nodes: [start('a'), claimNode('Outer'), claimNode('Inner', { businessId: 'i' }), effect('Effect', { disabled: true }), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		seals: { 'Seal inner': ['Review: -'] },
		findings: ([{ claims }]) => expect(claims.onlyDisabledBetween).toBe(true),
	},
	{
		shows: 'a pinned effect (manual run): found, and not a success by itself',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: straight,
		mode: 'manual',
		more: { pinData: { Effect: [{ json: { ok: true } }] } },
		seals: { Seal: ['Review: -'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ pinned: true, claims: [{ claimNode: 'Claim' }] }),
	},
	{
		shows: 'a pinned effect with another number of items has no links: the error names it',
		nodes: [start('a', 'b'), claimNode(), effect(), sealNode()],
		wires: straight,
		mode: 'manual',
		more: { pinData: { Effect: [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }] } },
		seals: { Seal: ['Review: -', 'Review: -', 'Review: -'] },
		text: /lost at the node ..?Effect/,
	},
	{
		shows: 'a pinned Claim shows an old handle: marked as pinned',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: straight,
		mode: 'manual',
		more: { pinData: { Claim: [{ json: { id: 'a', idempotency: oldHandle } }] } },
		seals: { Seal: ['Review: -'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ pinned: true, claims: [{ handle: { token: 'old' } }] }),
	},
	{
		shows: 'pinned data before the Claim is nobody’s business',
		nodes: [start('a'), noOp('Before'), claimNode(), effect(), sealNode()],
		wires: chain('Start', 'Before', 'Claim', 'Effect', 'Seal'),
		mode: 'manual',
		more: { pinData: { Before: [{ json: { id: 'p' } }] } },
		seals: { Seal: ['Sealed: p'] },
	},
	{
		shows: 'pinned data does not count in production',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: straight,
		more: { pinData: { Effect: [{ json: { ok: true } }] } },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'In Progress wired into Seal: nothing was claimed, and the output is named',
		nodes: [start('a', 'a'), claimNode(), effect(), sealNode('Wrong'), sealNode()],
		wires: [...straight, ['Claim', 2, 'Wrong']],
		seals: { Seal: ['Sealed: a'], Wrong: ['Review: -'] },
		text: /left ..?Claim..? by its output In Progress, so nothing was claimed/,
	},
	{
		shows: 'Done Before wired into Seal: nothing was claimed',
		nodes: [start('a'), claimNode(), effect(), sealNode(), claimNode('Later', { operation: 'claim', businessId: 'a' }), sealNode('Wrong')],
		wires: [...straight, ...chain('Seal', 'Later'), ['Later', 1, 'Wrong']],
		seals: { Seal: ['Sealed: a'], Wrong: ['Sealed: a'] },
		// The path goes on up to the first claim, sealed already: harmless, and said so.
		findings: (all) => expect(all[1].claims.alreadySealed).toBe(true),
	},
	{
		shows: 'no Claim at all',
		nodes: [start('a'), effect(), sealNode()],
		wires: chain('Start', 'Effect', 'Seal'),
		seals: { Seal: ['Review: -'] },
		text: /no Idempotency Claim before this node/,
	},
	{
		shows: 'a way around the Claim',
		nodes: [start('a'), claimNode(), node('If', 'test.if', { condition: '={{ false }}' }), effect(), sealNode()],
		wires: [...chain('Start', 'If', 'Claim', 'Effect', 'Seal'), ['If', 1, 'Effect']],
		seals: { Seal: ['Review: -'] },
		text: /came from ..?Start..? without passing through/,
	},
];

/** Only a stub can be made to throw while On Error says go on: the real Claim never does. */
export const brokenClaimCases: LineageCase[] = [
	{
		shows: 'a Claim that failed under On Error = Continue: n8n puts its input on output 0, and nothing was claimed',
		nodes: [start({ id: 'a', breakClaim: true }), claimNode('Claim', {}, { onError: 'continueRegularOutput' }), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Review: -'] },
		text: /Claim..? did not claim this item/,
	},
	{
		shows: 'the same inside another guard: the outer handle in the item isn’t taken for the inner one',
		nodes: [
			start('a'),
			claimNode('Outer'),
			node('Break', 'test.set', { values: { breakClaim: true } }),
			claimNode('Claim', {}, { onError: 'continueErrorOutput' }),
			effect(),
			sealNode(),
		],
		wires: chain('Start', 'Outer', 'Break', 'Claim', 'Effect', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.claims.map(({ claimNode: name }) => name)).toEqual(['Outer']),
	},
];
