import { chain, node } from '../../support/engine';
import { describeLineage } from './describeLineage';
import { claimNode, code, effect, sealNode, start, type LineageCase } from './lineageCase';
import { StubNodes } from './stubNodes';

const straight = chain('Start', 'Claim', 'Effect', 'Seal');
const inner = { businessId: '={{ $json.id + "-inner" }}' };

/** n8n's own look-up instead of the run data. It knows less, so more of this ends in an error; none in a guess. */
const cases: LineageCase[] = [
	{
		shows: 'a straight path',
		nodes: [start('a', 'b'), claimNode(), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ sawPath: false, claims: [{ claimNode: 'Claim' }] }),
	},
	{
		shows: 'a loop',
		nodes: [start('a', 'b'), claimNode(), node('Loop', 'test.loop'), effect(), sealNode()],
		wires: [...chain('Start', 'Claim', 'Loop'), ['Loop', 1, 'Effect'], ...chain('Effect', 'Seal', 'Loop')],
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'a fan-in has several claims, which the look-up refuses to choose from',
		nodes: [start('a', 'b'), claimNode(), effect(), node('Aggregate', 'test.aggregate'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Aggregate', 'Seal'),
		seals: { Seal: ['Review: -'] },
	},
	{
		shows: 'two guards open: nobody knows which is the nearest',
		nodes: [start('a'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode()],
		wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal'),
		seals: { Seal: ['Review: -'] },
		text: /several claims .*Outer.*Inner.*|several claims .*Inner.*Outer.*/,
	},
	{
		shows: 'a disabled Claim',
		nodes: [start('a'), claimNode('Claim', {}, { disabled: true }), effect(), sealNode()],
		wires: straight,
		seals: { Seal: ['Review: -'] },
		text: /is disabled/,
	},
	{
		shows: 'a disabled Claim inside another guard, whose handle it passes on',
		nodes: [start('a'), claimNode('Outer'), claimNode('Claim', {}, { disabled: true }), effect(), sealNode()],
		wires: chain('Start', 'Outer', 'Claim', 'Effect', 'Seal'),
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'no Claim',
		nodes: [start('a'), effect(), sealNode()],
		wires: chain('Start', 'Effect', 'Seal'),
		seals: { Seal: ['Review: -'] },
		text: /no Idempotency Claim before/,
	},
	{
		shows: 'a lost link',
		nodes: [start('a', 'b'), claimNode(), effect(), code(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Code', 'Seal'),
		code: { Code: () => [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }] },
		seals: { Seal: ['Review: -', 'Review: -', 'Review: -'] },
	},
];

describeLineage('without run data in the execution context', cases, () => {
	const nodes = new StubNodes({ hideRunData: true });
	return { nodeTypes: nodes.nodeTypes, findings: nodes.findings };
});

describeLineage(
	'without run data, an outer Seal behind an inner one',
	[
		{
			shows: 'the outer claim is the only one not sealed',
			nodes: [start('a'), claimNode('Outer'), claimNode('Inner', inner), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
			wires: chain('Start', 'Outer', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
			seals: { 'Seal inner': ['Sealed: a-inner'], 'Seal outer': ['Sealed: a'] },
		},
	],
	() => {
		const nodes = new StubNodes({ hideRunDataOf: 'Seal outer' });
		return { nodeTypes: nodes.nodeTypes };
	},
);
