import { chain, node, workflow } from '../../../support/engine';
import { claimNode, code, effect, sealNode, start, type LineageCase } from '../lineageCase';

const called = (name = 'Called') => node(name, 'test.executeWorkflowTrigger');
const call = (mode = 'once') => node('Call', 'test.executeWorkflow', { workflowId: 'sub', mode });

export const subWorkflowCases: LineageCase[] = [
	{
		shows: 'claim in the parent, effect and Seal in the sub-workflow: the handle is carried in',
		nodes: [start('a', 'b'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), effect(), sealNode()], chain('Called', 'Effect', 'Seal')) },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ carried: true, alreadySealed: false, claims: [{ claimNode: 'Called' }] }),
	},
	{
		shows: 'called once for each item',
		nodes: [start('a', 'b'), claimNode(), call('each')],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), effect(), sealNode()], chain('Called', 'Effect', 'Seal')) },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
	},
	{
		shows: 'carried handles behind a fan-in',
		nodes: [start('a', 'b'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), effect(), node('Aggregate', 'test.aggregate'), sealNode()], chain('Called', 'Effect', 'Aggregate', 'Seal')) },
		seals: { Seal: ['Sealed: a+b'] },
	},
	{
		shows: 'a guard in the sub-workflow inside the carried claim: first its own, then the carried one',
		nodes: [start('a'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: {
			sub: workflow(
				[called(), claimNode('Inner', { businessId: 'inner' }), effect(), sealNode('Seal inner'), sealNode('Seal outer')],
				chain('Called', 'Inner', 'Effect', 'Seal inner', 'Seal outer'),
			),
		},
		seals: { 'Seal inner': ['Sealed: inner'], 'Seal outer': ['Sealed: a'] },
		findings: (all) => expect(all.map(({ claims }) => claims.carried)).toEqual([false, true]),
	},
	{
		shows: 'two Seals for a carried claim: the second is told that it is sealed already',
		nodes: [start('a'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), effect(), sealNode(), sealNode('Again')], chain('Called', 'Effect', 'Seal', 'Again')) },
		seals: { Seal: ['Sealed: a'], Again: ['Sealed: a'] },
		findings: (all) => expect(all.map(({ claims }) => [claims.carried, claims.alreadySealed])).toEqual([[true, false], [true, true]]),
	},
	{
		shows: 'a Code node in the sub-workflow that sorts without links: the nearest carried handle is right',
		nodes: [start('a', 'b', 'c'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), code(), effect(), sealNode()], chain('Called', 'Code', 'Effect', 'Seal')) },
		code: { Code: (items) => items.map(({ json }) => ({ json })).reverse() },
		seals: { Seal: ['Sealed: c', 'Sealed: b', 'Sealed: a'] },
	},
	{
		shows: 'every node of the sub-workflow between is disabled',
		nodes: [start('a'), claimNode(), call()],
		wires: chain('Start', 'Claim', 'Call'),
		workflows: { sub: workflow([called(), effect('Effect', { disabled: true }), sealNode()], chain('Called', 'Effect', 'Seal')) },
		seals: { Seal: ['Review: -'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ carried: true, onlyDisabledBetween: true }),
	},
	{
		shows: 'claim in a sub-workflow that gives its items back, effect and Seal in the parent',
		nodes: [start('a', 'b'), call(), effect(), sealNode()],
		wires: chain('Start', 'Call', 'Effect', 'Seal'),
		workflows: { sub: workflow([called(), claimNode()], chain('Called', 'Claim')) },
		seals: { Seal: ['Sealed: a', 'Sealed: b'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ carried: true, claims: [{ claimNode: 'Call' }] }),
	},
	{
		shows: 'claim, effect and Seal all in the sub-workflow, inside a guard of the parent',
		nodes: [start('a'), claimNode('Outer'), call(), sealNode('Seal outer')],
		wires: chain('Start', 'Outer', 'Call', 'Seal outer'),
		workflows: { sub: workflow([called(), claimNode('Claim', { businessId: 'inner' }), effect(), sealNode()], chain('Called', 'Claim', 'Effect', 'Seal')) },
		seals: { Seal: ['Sealed: inner'], 'Seal outer': ['Sealed: a'] },
	},
	{
		shows: 'a sub-workflow called without any claim',
		nodes: [start('a'), call()],
		wires: chain('Start', 'Call'),
		workflows: { sub: workflow([called(), effect(), sealNode()], chain('Called', 'Effect', 'Seal')) },
		seals: { Seal: ['Review: -'] },
		text: /no Idempotency Claim before this node, and the item carries no claim/,
	},
];
