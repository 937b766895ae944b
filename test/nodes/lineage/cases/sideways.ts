import { chain, failed, httpError, node, type EffectScript } from '../../../support/engine';
import { claimNode, code, effect, noOp, sealNode, start, type LineageCase } from '../lineageCase';

const order = (id: string, ...lines: string[]) => ({ id, lines: lines.map((line) => ({ line, of: id })) });
const split = () => node('Split', 'test.splitOut');
/** Lines that begin with "bad" fail. */
const badLinesFail: EffectScript = ({ json }) => (String(json.line ?? json.id).startsWith('bad') ? failed(httpError(422)) : { ok: true });
const isError = '={{ !!$json.error }}';

export const sidewaysCases: LineageCase[] = [
	{
		shows: 'error output and success output into one Seal, both of one claim: mixed, in either run',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueErrorOutput' }), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'Seal'), ['Effect', 1, 'Seal']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a', 'Review: a'] },
		findings: (all) => expect(all.map(({ claims }) => claims.sideways)).toEqual([{ errors: 0, successes: 1, ghosts: 0 }, { errors: 1, successes: 0, ghosts: 0 }]),
	},
	{
		shows: 'the success alone reaches Seal, the error goes elsewhere: mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueErrorOutput' }), noOp('Alert'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'Seal'), ['Effect', 1, 'Alert']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'the error alone reaches Seal, the success goes elsewhere: mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueErrorOutput' }), noOp('Go on'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'Go on'), ['Effect', 1, 'Seal']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'an IF further down sends the errors another way: mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueRegularOutput' }), node('If', 'test.if', { condition: isError }), noOp('Alert'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'If', 'Alert'), ['If', 1, 'Seal']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'a Filter throws the errors away: still mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueRegularOutput' }), node('Filter', 'test.filter', { condition: '={{ !$json.error }}' }), sealNode()],
		wires: chain('Start', 'Claim', 'Split', 'Effect', 'Filter', 'Seal'),
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'an Aggregate takes a failed item up beside a good one: mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect('Effect', { onError: 'continueRegularOutput' }), node('Aggregate', 'test.aggregate'), sealNode()],
		wires: chain('Start', 'Claim', 'Split', 'Effect', 'Aggregate', 'Seal'),
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'an Aggregate takes up failed items only: its item looks fine and is not a success',
		nodes: [start(order('a', 'bad', 'bad too')), claimNode(), split(), effect('Effect', { onError: 'continueRegularOutput' }), node('Aggregate', 'test.aggregate'), sealNode()],
		wires: chain('Start', 'Claim', 'Split', 'Effect', 'Aggregate', 'Seal'),
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a'] },
		findings: ([{ claims }]) => expect(claims.sideways.errors).toBeGreaterThan(0),
	},
	{
		shows: 'Aggregate of two claims, one of which failed: the doubt is about that one',
		nodes: [start('a', 'bad'), claimNode(), effect('Effect', { onError: 'continueRegularOutput' }), node('Aggregate', 'test.aggregate'), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Aggregate', 'Seal'),
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Review: a+bad'] },
		findings: ([{ claims }]) =>
			expect(claims.claims.map(({ handle, sideways }) => [handle.businessId, sideways.errors])).toEqual([['a', 0], ['bad', 1]]),
	},
	{
		shows: 'errors of other claims beside a success mean nothing',
		nodes: [start('a', 'bad', 'c'), claimNode(), effect('Effect', { onError: 'continueErrorOutput' }), noOp('Alert'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Effect', 'Seal'), ['Effect', 1, 'Alert']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Sealed: a', 'Sealed: c'] },
		findings: ([{ claims }]) => expect(claims.sideways).toEqual({ errors: 0, successes: 0, ghosts: 0 }),
	},
	{
		shows: 'a second provider after the first one failed: its success counts',
		nodes: [start('a'), claimNode(), effect('First', { onError: 'continueErrorOutput' }), effect('Second'), sealNode()],
		wires: [...chain('Start', 'Claim', 'First', 'Seal'), ['First', 1, 'Second'], ['Second', 'Seal']],
		effects: { First: () => failed(httpError(422)) },
		seals: { Seal: ['Sealed: a'] },
	},
	{
		shows: 'a second provider for all failed lines of one claim: their successes count',
		nodes: [start(order('a', 'bad', 'bad too')), claimNode(), split(), effect('First', { onError: 'continueErrorOutput' }), effect('Second'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'First'), ['First', 1, 'Second'], ['Second', 'Seal']],
		effects: { First: badLinesFail },
		seals: { Seal: ['Sealed: a', 'Sealed: a'] },
	},
	{
		shows: 'all lines failed: the errors agree',
		nodes: [start(order('a', 'bad', 'bad too')), claimNode(), split(), effect('Effect', { onError: 'continueErrorOutput' }), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'Seal'), ['Effect', 1, 'Seal']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Failed: a', 'Failed: a'] },
	},
	{
		shows: 'a full HTTP response that says 500 on the other way: mixed',
		nodes: [start(order('a', 'good', 'bad')), claimNode(), split(), effect(), node('If', 'test.if', { condition: '={{ $json.statusCode < 300 }}' }), noOp('Alert'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'Effect', 'If', 'Seal'), ['If', 1, 'Alert']],
		effects: { Effect: ({ json }) => ({ statusCode: json.line === 'bad' ? 500 : 200, headers: {}, body: {} }) },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'the empty item that Always Output Data adds beside errors is recognised, and makes nothing mixed',
		nodes: [start('bad', 'bad too'), claimNode(), effect('Effect', { onError: 'continueErrorOutput', alwaysOutputData: true }), sealNode()],
		wires: [...chain('Start', 'Claim', 'Effect', 'Seal'), ['Effect', 1, 'Seal']],
		effects: { Effect: badLinesFail },
		seals: { Seal: ['Failed: bad', 'Failed: bad too'] },
		findings: (all) => {
			expect(all.map(({ claims }) => claims.isGhost)).toEqual([false, false, true]);
			expect(all.map(({ claims }) => claims.sideways)).toEqual([
				{ errors: 0, successes: 0, ghosts: 1 },
				{ errors: 0, successes: 0, ghosts: 1 },
				{ errors: 2, successes: 0, ghosts: 0 },
			]);
		},
	},
	{
		shows: 'the empty item of an effect that returned nothing and did not fail: a ghost without errors',
		nodes: [start('a'), claimNode(), effect('Effect', { alwaysOutputData: true }), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Seal'),
		effects: { Effect: () => [] },
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims).toMatchObject({ isGhost: true, sideways: { errors: 0 } }),
	},
	{
		shows: 'an empty answer of an effect is no ghost',
		nodes: [start('a'), claimNode(), effect(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Seal'),
		effects: { Effect: () => ({}) },
		seals: { Seal: ['Sealed: a'] },
		findings: ([{ claims }]) => expect(claims.isGhost).toBe(false),
	},
	{
		shows: 'lines that left an IF together are not beside each other, although other claims left it elsewhere',
		nodes: [start(order('a', 'bad', 'bad too'), order('b', 'bad')), claimNode(), split(), node('If', 'test.if', { condition: '={{ $json.of === "a" }}' }), effect('One', { onError: 'continueRegularOutput' }), noOp('Other'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'If', 'One', 'Seal'), ['If', 1, 'Other']],
		effects: { One: badLinesFail },
		seals: { Seal: ['Failed: a', 'Failed: a'] },
	},
	{
		shows: 'a line that left an IF the other way may have gone well: the failure of this one is mixed',
		nodes: [start(order('a', 'bad', 'good')), claimNode(), split(), node('If', 'test.if', { condition: '={{ $json.line === "bad" }}' }), effect('One', { onError: 'continueRegularOutput' }), effect('Other'), sealNode()],
		wires: [...chain('Start', 'Claim', 'Split', 'If', 'One', 'Seal'), ['If', 1, 'Other']],
		effects: { One: badLinesFail },
		seals: { Seal: ['Review: a'] },
	},
	{
		shows: 'an empty item that a node links to several is no ghost',
		nodes: [start('a', 'b'), claimNode(), effect(), code(), sealNode()],
		wires: chain('Start', 'Claim', 'Effect', 'Code', 'Seal'),
		code: { Code: (items) => [{ json: {}, pairedItem: items.map((_, item) => ({ item })) }] },
		seals: { Seal: ['Sealed: a+b'] },
		findings: ([{ claims }]) => expect(claims.isGhost).toBe(false),
	},
];
