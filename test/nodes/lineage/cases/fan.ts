import { chain, node } from '../../../support/engine';
import { claimNode, code, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const lines = (id: string, count: number) => ({ id, lines: Array.from({ length: count }, (_, n) => ({ n })) });
const splitOut = () => node('Split', 'test.splitOut', { field: 'lines' });
const aggregate = (name = 'Aggregate') => node(name, 'test.aggregate');

export const fanCases: LineageCase[] = [
	{
		shows: 'fan-out: all items of a Split Out belong to the one claim',
		nodes: [start(lines('a', 3)), claimNode(), splitOut(), effect(), sealNode()],
		wires: chain('Start', 'Claim', 'Split', 'Effect', 'Seal'),
		seals: { Seal: ['Sealed: a', 'Sealed: a', 'Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.sideways).toMatchObject({ errors: 0, ghosts: 0 }),
	},
	{
		shows: 'fan-out by an effect that answers with several items',
		nodes: [start('a', 'b'), claimNode(), effect(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Seal'),
		effects: { Effect: ({ json }) => (json.id === 'a' ? [{ n: 1 }, { n: 2 }] : [{ n: 3 }]) },
		seals: { Seal: ['Sealed: a', 'Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'fan-in: the one item of an Aggregate has all claims',
		nodes: [start('a', 'b', 'c'), claimNode(), effect(), aggregate(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Aggregate', 'Seal'),
		seals: { Seal: ['Sealed: a+b+c'] },
	},
	{
		shows: 'fan-out and fan-in of one claim: once',
		nodes: [start(lines('a', 3)), claimNode(), splitOut(), effect(), aggregate(), sealNode()],
		wires: chain('Start', 'Claim', 'Split', 'Effect', 'Aggregate', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'Aggregate, then Split Out: every item has all claims',
		nodes: [start('a', 'b'), claimNode(), effect(), aggregate(), node('Split', 'test.splitOut', { field: 'data' }), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Aggregate', 'Split', 'Seal'),
		seals: { Seal: ['Sealed: a+b', 'Sealed: a+b'] },
	},
	{
		shows: 'Merge (append) of two effects of one claim',
		nodes: [start('a'), claimNode(), effect('One'), effect('Two'), node('Merge', 'test.merge'), sealNode()],
		wires: [...chain('Start', 'Claim', 'One', 'Merge', 'Seal'), ['Claim', 'Two'], ['Two', 0, 'Merge', 1]],
		seals: { Seal: ['Sealed: a', 'Sealed: a'] },
	},
	{
		shows: 'Merge (combine) of two guards side by side: the item has both claims',
		nodes: [start('a'), claimNode('Left'), claimNode('Right'), effect('One'), effect('Two'), node('Merge', 'test.merge', { mode: 'combine' }), sealNode()],
		wires: [...chain('Start', 'Left', 'One', 'Merge', 'Seal'), ...chain('Start', 'Right', 'Two'), ['Two', 0, 'Merge', 1]],
		seals: { Seal: ['Sealed: a+a'] },
		findings: ([{ claims }]) => expect(claims.claims.map(({ claimNode: name }) => name).sort()).toEqual(['Left', 'Right']),
	},
	{
		shows: 'Merge (combine) with a branch that has no claim: the one there is',
		nodes: [start('a'), claimNode(), effect(), effect('Look up'), node('Merge', 'test.merge', { mode: 'combine' }), sealNode()],
		wires: [...chain('Start', 'Claim', 'Effect', 'Merge', 'Seal'), ['Start', 'Look up'], ['Look up', 0, 'Merge', 1]],
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'Merge (combine) with a branch whose link is lost: the claim is found, the loss is named',
		nodes: [start('a', 'b'), claimNode(), effect(), code('Unlinked'), node('Merge', 'test.merge', { mode: 'combine' }), sealNode()],
		wires: [...chain('Start', 'Claim', 'Effect', 'Merge', 'Seal'), ['Start', 'Unlinked'], ['Unlinked', 0, 'Merge', 1]],
		code: { Unlinked: () => [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }] },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
		findings: ([{ claims }]) => expect(claims.lostAt).toEqual(['Unlinked']),
	},
	{
		shows: 'Merge (choose branch): the claims of the branch that was chosen',
		nodes: [start('a'), claimNode('Left'), claimNode('Right'), effect('One'), effect('Two'), node('Merge', 'test.merge', { mode: 'choose' }), sealNode()],
		wires: [...chain('Start', 'Left', 'One', 'Merge', 'Seal'), ...chain('Start', 'Right', 'Two'), ['Two', 0, 'Merge', 1]],
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.claims.map(({ claimNode: name }) => name)).toEqual(['Right']),
	},
	{
		shows: 'Merge of which only the second input ran',
		nodes: [start('a'), claimNode(), node('If', 'test.if', { condition: '={{ false }}' }), effect('Yes'), effect('No'), node('Merge', 'test.merge'), sealNode()],
		wires: [...chain('Start', 'Claim', 'If', 'Yes', 'Merge', 'Seal'), ['If', 1, 'No'], ['No', 0, 'Merge', 1]],
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'one claim into two effects side by side, each into the Seal: it runs twice for that claim',
		nodes: [start('a'), claimNode(), effect('One'), effect('Two'), sealNode()],
		wires: [...chain('Start', 'Claim', 'One', 'Seal'), ...chain('Claim', 'Two', 'Seal')],
		seals: { Seal: ['Sealed: a', 'Sealed: a'] },
	},
	{
		shows: 'a Code node that makes one item of several, without links: n8n links it to the first, the others are left',
		nodes: [start('a', 'b'), claimNode(), effect(), code(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Code', 'Seal'),
		code: { Code: () => [{ json: { sum: 2 } }] },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'a node that links every item to every item before',
		nodes: [start('a', 'b'), claimNode(), effect(), code(), noOp('Pass'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Code', 'Pass', 'Seal'),
		code: {
			Code: (items) => {
				const all = items.map((_, item) => ({ item }));
				return [1, 2, 3].map((n) => ({ json: { n }, pairedItem: all }));
			},
		},
		seals: { Seal: ['Sealed: a+b', 'Sealed: a+b', 'Sealed: a+b'] },
	},
];
