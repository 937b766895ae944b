import { chain } from '../../../support/engine';
import { claimNode, code, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const abc = () => start('a', 'b', 'c');
/** The Code node comes after the effect, whose answer has no handle in it … */
const afterEffect = { nodes: [abc(), claimNode(), effect(), code(), sealNode()], wires: chain('Start', 'Claim', 'Effect', 'Code', 'Seal') };
/** … or before it, where the items still carry their handles. */
const beforeEffect = { nodes: [abc(), claimNode(), code(), effect(), sealNode()], wires: chain('Start', 'Claim', 'Code', 'Effect', 'Seal') };
const nothing = ['Review: -', 'Review: -', 'Review: -'];

export const linkCases: LineageCase[] = [
	{
		...afterEffect,
		shows: 'a Code node gives other items without links: the error names it and says what to do',
		code: { Code: () => [{ json: { n: 1 } }, { json: { n: 2 } }] },
		seals: { Seal: ['Review: -', 'Review: -'] },
		text: /link from this item back to its claim was lost at the node ..?Code/,
		findings: ([{ claims }]) => expect(claims.problem).toMatchObject({ kind: 'link_lost', code: 'CLAIM_LINK_LOST', node: 'Code', advice: expect.stringContaining('pairedItem') }),
	},
	{
		shows: 'the node that lost the link is named, not one of those behind it',
		nodes: [abc(), claimNode(), effect(), code('Lost here'), noOp('Pass'), noOp('Pass on'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Lost here', 'Pass', 'Pass on', 'Seal'),
		code: { 'Lost here': () => [{ json: { n: 1 } }, { json: { n: 2 } }] },
		seals: { Seal: ['Review: -', 'Review: -'] },
		text: /lost at the node ..?Lost here/,
	},
	{
		...afterEffect,
		shows: 'a link to an item that is not there',
		code: { Code: (items) => items.map(() => ({ json: {}, pairedItem: { item: 99 } })) },
		seals: { Seal: nothing },
		text: /lost at the node ..?Code/,
	},
	{
		...afterEffect,
		shows: 'links that are no numbers of items',
		code: {
			Code: () => [
				{ json: {}, pairedItem: { item: -1 } },
				{ json: {}, pairedItem: { item: '0' as never } },
				{ json: {}, pairedItem: { item: '__proto__' as never } },
			],
		},
		seals: { Seal: nothing },
	},
	{
		...afterEffect,
		shows: 'links by bare numbers',
		code: { Code: (items) => items.map((_, i) => ({ json: {}, pairedItem: items.length - 1 - i })) },
		seals: { Seal: ['Sealed: c', 'Sealed: b', 'Sealed: a'] },
	},
	{
		...afterEffect,
		shows: 'same number of items in the same order, without links: n8n links by position, and that is right',
		code: { Code: (items) => items.map((_, n) => ({ json: { n } })) },
		seals: { Seal: ['Sealed: a', 'Sealed: b', 'Sealed: c'] },
	},
	{
		...beforeEffect,
		shows: 'a Code node that sorts and links rightly',
		code: { Code: (items) => items.map(({ json }, item) => ({ json, pairedItem: { item } })).reverse() },
		seals: { Seal: ['Sealed: c', 'Sealed: b', 'Sealed: a'] },
	},
	{
		...beforeEffect,
		shows: 'a Code node that sorts without links: the handles in the items give the wrong links away',
		code: { Code: (items) => items.map(({ json }) => ({ json })).reverse() },
		// The middle one kept its place.
		seals: { Seal: ['Sealed: b', 'Review: -', 'Review: -'] },
		text: /Code..? put out items without links, and n8n linked them by position/,
		findings: ([{ claims }]) => expect(claims.problem).toMatchObject({ kind: 'link_wrong', code: 'CLAIM_LINK_LOST', node: 'Code' }),
	},
	{
		...beforeEffect,
		shows: 'a Code node that returns the last of several: n8n links it to the first',
		code: { Code: (items) => [{ json: items[2].json }] },
		seals: { Seal: ['Review: -'] },
		text: /linked them by position/,
	},
	{
		...beforeEffect,
		shows: 'a Code node that puts the first item’s handle on all: only the first is sealed',
		code: { Code: (items) => items.map((item) => ({ json: { ...item.json, idempotency: items[0].json.idempotency } })) },
		seals: { Seal: ['Sealed: a', 'Review: -', 'Review: -'] },
	},
	{
		...beforeEffect,
		shows: 'a Code node that drops links and changes the number, but keeps the JSON: the carried handle is the claim',
		code: { Code: (items) => [items[2], items[0]].map(({ json }) => ({ json })) },
		seals: { Seal: ['Sealed: c', 'Sealed: a'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ carried: true, problem: null }),
	},
	{
		shows: 'wrong links between two guards are found by the outer Seal, not by the inner one',
		nodes: [start('a', 'b'), claimNode('Outer'), code(), claimNode('Inner', { businessId: '={{ $json.id }}-inner' }), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Code', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
		code: { Code: (items) => items.map(({ json }) => ({ json })).reverse() },
		seals: { 'Seal inner': ['Sealed: b-inner', 'Sealed: a-inner'], 'Seal outer': ['Review: -', 'Review: -'] },
		text: /Code..? put out items without links/,
	},
	{
		shows: 'wrong links that a Seal was told the truth about (From This Item): the outer Seal goes on from there',
		nodes: [start('a', 'b'), claimNode('Outer'), claimNode('Inner', { businessId: '={{ $json.id }}-inner' }), code(), effect(), sealNode('Seal inner', { claimSource: 'item' }), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Inner', 'Code', 'Effect', 'Seal inner', 'Seal outer'),
		code: { Code: (items) => items.map(({ json }) => ({ json })).reverse() },
		effects: { Effect: ({ json }) => ({ ...json, ok: true }) },
		seals: { 'Seal inner': ['Sealed: b-inner', 'Sealed: a-inner'], 'Seal outer': ['Sealed: b', 'Sealed: a'] },
	},
	{
		shows: 'the outer claim sealed first (From This Item): automatic Seals find the inner one, then nothing open',
		nodes: [
			start('a'),
			claimNode('Outer', { options: { outputField: 'outer' } }),
			claimNode('Inner', { businessId: 'inner', options: { outputField: 'inner' } }),
			effect(),
			sealNode('S1', { claimSource: 'item', claimField: 'outer' }),
			sealNode('S2'),
			sealNode('S3'),
		],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'S1', 'S2', 'S3'),
		effects: { Effect: ({ json }) => ({ ...json, ok: true }) },
		seals: { S1: ['Sealed: a'], S2: ['Sealed: inner'], S3: ['Sealed: inner'] },
		findings: (all) => expect(all.map(({ claims }) => claims.alreadySealed)).toEqual([false, false, true]),
	},
	{
		shows: 'wrong links are noticed by a handle in a field of its own name, too',
		nodes: [start('a', 'b'), claimNode('Claim', { options: { outputField: 'guard' } }), code(), effect(), sealNode()],
		wires: chain('Start', 'Claim', 'Code', 'Effect', 'Seal'),
		code: { Code: (items) => items.map(({ json }) => ({ json })).reverse() },
		seals: { Seal: ['Review: -', 'Review: -'] },
		text: /linked them by position/,
	},
];
