import type { IPairedItemData } from 'n8n-workflow';

import { lineageOf as lineageOfExecution } from '../../../nodes/shared/lineage/findClaims';
import { claimed, items, lineageOf, task, type RunData } from './storedRuns';

const COUNT = 10_000;

describe('cost of the walk', () => {
	it(`${COUNT} items through ten nodes: each stored item is looked at once, whoever asks`, () => {
		const names = Array.from({ length: 10 }, (_, n) => `N${n}`);
		const runData: RunData = { Start: [task(null, [items(COUNT, () => ({}))])], Claim: [task('Start', [items(COUNT, claimed)])] };
		names.forEach((name, n) => (runData[name] = [task(n === 0 ? 'Claim' : names[n - 1], [items(COUNT, () => ({}))])]));
		const lineage = lineageOf(runData);
		const found = Array.from({ length: COUNT }, (_, index) => lineage.traceAt({ node: 'N9', run: 0, output: 0, index })?.claims.open[0].handle.businessId);
		expect(found).toEqual(Array.from({ length: COUNT }, (_, index) => String(index)));
		expect(lineage.steps).toBe(12 * COUNT);
	});

	it('fan-in of all and fan-out of all again: the claims are shared, not copied to every item', () => {
		const all: IPairedItemData[] = Array.from({ length: COUNT }, (_, item) => ({ item }));
		const runData: RunData = {
			Start: [task(null, [items(COUNT, () => ({}))])],
			Claim: [task('Start', [items(COUNT, claimed)])],
			// Two outputs, so that items of the same claim elsewhere have to be counted too.
			Aggregate: [task('Claim', [items(1, () => ({}), () => all)])],
			Split: [task('Aggregate', [items(COUNT, () => ({}), () => ({ item: 0 })), items(COUNT, () => ({ error: 'x' }), () => ({ item: 0 }))])],
			Pass: [task('Split', [items(COUNT, () => ({}))])],
		};
		const lineage = lineageOf(runData);
		const traces = new Set(Array.from({ length: COUNT }, (_, index) => lineage.traceAt({ node: 'Pass', run: 0, output: 0, index })));
		expect(traces.size).toBe(1);
		const [trace] = traces;
		expect(trace?.claims.open).toHaveLength(COUNT);
		expect(trace?.claims.open[0].facts.errors).toBe(COUNT);
		expect(lineage.steps).toBe(5 * COUNT + 1);
	});

	it('items that share one list of links to all items before are joined once', () => {
		const all: IPairedItemData[] = Array.from({ length: COUNT }, (_, item) => ({ item }));
		const lineage = lineageOf({
			Start: [task(null, [items(COUNT, () => ({}))])],
			Claim: [task('Start', [items(COUNT, claimed)])],
			All: [task('Claim', [items(COUNT, () => ({}), () => all)])],
		});
		const traces = new Set(Array.from({ length: COUNT }, (_, index) => lineage.traceAt({ node: 'All', run: 0, output: 0, index })));
		expect(traces.size).toBe(1);
	});

	it('a circle of 20,000 rounds is walked without running out of stack', () => {
		const rounds = 20_000;
		const runData: RunData = { Start: [task(null, [items(1, () => ({}))])], Claim: [task('Start', [items(1, claimed)])], Poll: [] };
		for (let round = 0; round < rounds; round++) {
			runData.Poll.push(round === 0 ? task('Claim', [items(1, () => ({}))]) : task('Poll', [items(1, () => ({}))], round - 1));
		}
		const lineage = lineageOf(runData);
		expect(lineage.traceAt({ node: 'Poll', run: rounds - 1, output: 0, index: 0 })?.claims.open[0].handle.token).toBe('t0');
		expect(lineage.steps).toBe(rounds + 2);
	});

	it('a loop whose rounds ask one after the other looks at new items only', () => {
		const runData: RunData = { Start: [task(null, [items(COUNT, () => ({}))])], Claim: [task('Start', [items(COUNT, claimed)])], Loop: [] };
		const lineage = lineageOf(runData);
		const found: unknown[] = [];
		for (let round = 0; round < COUNT; round++) {
			runData.Loop.push(task('Loop', [[], items(1, () => ({}), () => ({ item: round, sourceOverwrite: { previousNode: 'Claim' } }))], round));
			found.push(lineage.traceAt({ node: 'Loop', run: round, output: 1, index: 0 })?.claims.open[0].handle.token);
		}
		expect(found).toEqual(Array.from({ length: COUNT }, (_, round) => `t${round}`));
		expect(lineage.steps).toBe(3 * COUNT);
	});

	it('what one round of a loop has worked out, the next one finds: one lineage an execution and node', () => {
		const stored = { runData: {}, pinned: new Set<string>() };
		const first = lineageOfExecution(stored, 'Seal', new Map());
		expect(lineageOfExecution({ ...stored }, 'Seal', new Map())).toBe(first);
		expect(lineageOfExecution(stored, 'Other Seal', new Map())).not.toBe(first);
		expect(lineageOfExecution({ ...stored, runData: {} }, 'Seal', new Map())).not.toBe(first);
	});
});
