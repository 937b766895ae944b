import { chain, failed, httpError, node } from '../../../support/engine';
import { claimNode, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const inner = { businessId: '={{ $json.id + "-inner" }}' };
const keepsJson = ({ json }: { json: object }) => ({ ...json, ok: true });

export const nestedCases: LineageCase[] = [
	{
		shows: 'a guard inside a guard: each Seal finds its own claim',
		nodes: [start('a', 'b'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		seals: { 'Seal inner': ['Sealed: a-inner', 'Sealed: b-inner'], 'Seal outer': ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'three guards deep',
		nodes: [
			start('a'),
			claimNode('One'),
			claimNode('Two', { businessId: '={{ $json.id }}2' }),
			claimNode('Three', { businessId: '={{ $json.id }}3' }),
			effect(),
			sealNode('Seal 3'),
			sealNode('Seal 2'),
			sealNode('Seal 1'),
		],
		wires: chain('Start', 'One', 'Two', 'Three', 'Effect', 'Seal 3', 'Seal 2', 'Seal 1'),
		seals: { 'Seal 3': ['Sealed: a3'], 'Seal 2': ['Sealed: a2'], 'Seal 1': ['Sealed: a'] },
	},
	{
		shows: 'nested guards, and an effect that keeps the JSON with the inner handle in it',
		nodes: [start('a'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode('Seal inner'), effect('After'), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'After', 'Seal outer'),
		effects: { Effect: keepsJson, After: keepsJson },
		seals: { 'Seal inner': ['Sealed: a-inner'], 'Seal outer': ['Sealed: a'] },
	},
	{
		shows: 'nested guards with output fields of their own, which the item keeps to the end',
		nodes: [
			start('a'),
			claimNode('Outer', { options: { outputField: 'outer' } }),
			claimNode('Inner', { ...inner, options: { outputField: 'inner' } }),
			effect(),
			sealNode('Seal inner', { options: { outputField: 'sealedInner' } }),
			effect('After'),
			sealNode('Seal outer', { options: { outputField: 'sealedOuter' } }),
		],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'After', 'Seal outer'),
		effects: { Effect: keepsJson, After: keepsJson },
		// Each Seal's item still shows what the Seal before it noted in a field of its own.
		seals: { 'Seal inner': ['Sealed: a-inner'], 'Seal outer': ['Sealed: a-inner+a'] },
		findings: (all) => expect(all.map(({ claims }) => claims.claims.map(({ claimNode: name }) => name))).toEqual([['Inner'], ['Outer']]),
	},
	{
		shows: "the inner Seal's output field is an expression: any field may tell what it sealed",
		nodes: [
			start('a'),
			claimNode('Outer'),
			claimNode('Inner', inner),
			effect(),
			sealNode('Seal inner', { options: { outputField: '={{ "noted" }}' } }),
			sealNode('Seal outer', { options: { outputField: 'noted' } }),
		],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		seals: { 'Seal inner': ['Sealed: a-inner'], 'Seal outer': ['Sealed: a'] },
	},
	{
		shows: 'two Seals in a row for one claim: the second is told that it is sealed already',
		nodes: [start('a'), claimNode(), effect(), sealNode(), sealNode('Again')],
		wires: chain('Start', 'Claim', 'Effect', 'Seal', 'Again'),
		seals: { Seal: ['Sealed: a'], Again: ['Sealed: a'] },
		findings: (all) => expect(all.map(({ claims }) => claims.alreadySealed)).toEqual([false, true]),
	},
	{
		shows: 'three Seals behind two guards: the third gets the nearest sealed claim',
		nodes: [start('a'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode('S1'), sealNode('S2'), sealNode('S3')],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'S1', 'S2', 'S3'),
		seals: { S1: ['Sealed: a-inner'], S2: ['Sealed: a'], S3: ['Sealed: a-inner'] },
		findings: (all) => expect(all[2].claims).toMatchObject({ alreadySealed: true, claims: [{ claimNode: 'Inner' }] }),
	},
	{
		shows: 'a second guard after the first is sealed',
		nodes: [start('a'), claimNode('First'), effect('One'), sealNode('Seal first'), claimNode('Second', { businessId: 'z' }), effect('Two'), sealNode('Seal second')],
		wires: chain('Start', 'First', 'One', 'Seal first', 'Second', 'Two', 'Seal second'),
		seals: { 'Seal first': ['Sealed: a'], 'Seal second': ['Sealed: z'] },
	},
	{
		shows: 'what the inner Claim finds done before still belongs to the outer claim',
		nodes: [start('a', 'b'), claimNode('Outer'), claimNode('Inner', { businessId: 'same' }), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: [...chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'), ['Inner', 1, 'Seal outer'], ['Inner', 2, 'Seal outer']],
		seals: { 'Seal inner': ['Sealed: same'], 'Seal outer': ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'a shortcut past the inner guard, merged back: the inner Seal seals the inner claim only',
		nodes: [
			start('a'),
			claimNode('Outer'),
			claimNode('Inner', inner),
			effect(),
			noOp('Shortcut'),
			node('Merge', 'test.merge', { mode: 'combine' }),
			sealNode('Seal inner'),
			sealNode('Seal outer'),
		],
		wires: [...chain('Start', 'Outer', 'Inner', 'Effect', 'Merge', 'Seal inner', 'Seal outer'), ['Outer', 'Shortcut'], ['Shortcut', 0, 'Merge', 1]],
		seals: { 'Seal inner': ['Sealed: a-inner'], 'Seal outer': ['Sealed: a'] },
	},
	{
		shows: 'three inner claims of one outer claim, gathered: all three, then the outer one',
		nodes: [
			start({ id: 'a', lines: [{ id: 'x' }, { id: 'y' }, { id: 'z' }] }),
			claimNode('Outer'),
			node('Split', 'test.splitOut', { field: 'lines' }),
			claimNode('Inner'),
			effect(),
			node('Aggregate', 'test.aggregate'),
			sealNode('Seal inner'),
			sealNode('Seal outer'),
		],
		wires: chain('Start', 'Outer', 'Split', 'Inner', 'Effect', 'Aggregate', 'Seal inner', 'Seal outer'),
		seals: { 'Seal inner': ['Sealed: x+y+z'], 'Seal outer': ['Sealed: a'] },
	},
	{
		shows: 'one of three inner claims failed: the outer claim is mixed',
		nodes: [
			start({ id: 'a', lines: [{ id: 'x' }, { id: 'y' }, { id: 'z' }] }),
			claimNode('Outer'),
			node('Split', 'test.splitOut', { field: 'lines' }),
			claimNode('Inner'),
			effect('Effect', { onError: 'continueRegularOutput' }),
			sealNode('Seal inner'),
			sealNode('Seal outer'),
		],
		wires: chain('Start', 'Outer', 'Split', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		effects: { Effect: ({ json }) => (json.id === 'y' ? failed(httpError(422)) : { ok: true }) },
		seals: { 'Seal inner': ['Sealed: x', 'Sealed: z', 'Failed: y'], 'Seal outer': ['Review: a', 'Review: a'] },
	},
	{
		shows: 'a disabled inner Seal is passed over: the outer Seal finds the inner claim',
		nodes: [start('a'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode('Seal inner', {}, { disabled: true }), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		seals: { 'Seal outer': ['Sealed: a-inner'] },
	},
	{
		shows: 'one of two inner claims is held by another run: the outer claim is mixed',
		nodes: [start({ id: 'a', lines: [{ id: 'x' }, { id: 'x' }] }), claimNode('Outer'), node('Split', 'test.splitOut', { field: 'lines' }), claimNode('Inner'), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Split', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		seals: { 'Seal inner': ['Sealed: x'], 'Seal outer': ['Review: a'] },
	},
];
