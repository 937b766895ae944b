import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import type { ItemKind } from './itemKind';
import { mapOpen, NO_FACTS, addFacts, openOf, type Found, type PathFacts, type Trace } from './trace';
import type { UpstreamNode } from './upstreamNodes';

/** One run of one node, worked out: for each stored item, where its way up leads. */
export interface NodeRun {
	readonly task: ITaskData;
	/** by output and index */
	readonly traces: ReadonlyArray<readonly Trace[]>;
	readonly kinds: ReadonlyArray<readonly ItemKind[]>;
}

export interface RunItem {
	readonly item: INodeExecutionData;
	readonly output: number;
	readonly kind: ItemKind;
	/** of what the item came of, before this node is added */
	readonly base: Trace;
}

interface Counts {
	error: number;
	ghost: number;
	success: number;
	/** of the successes, by output */
	successOn: number[];
}

/**
 * What a node adds to the paths through one run of it: whether it ran, was pinned or disabled, and
 * which items of the same claim came out beside. All items of the run are counted once, by claim.
 */
export class Passage {
	private readonly counts = new Map<string, Counts>();
	/** by output and kind, then by what was there before */
	private readonly passed = new Map<string, Map<Trace, Trace>>();
	private readonly ofNode: PathFacts;

	constructor(node: UpstreamNode, pinned: boolean, items: readonly RunItem[]) {
		const effect = node.role === 'other';
		this.ofNode = { ...NO_FACTS, pinned, enabled: effect && !node.disabled, disabled: effect && node.disabled };
		// Nearly always: successes on one output. Then there is nothing beside any of them.
		const plain = items.every(({ output, kind }) => kind === 'success' && output === items[0].output);
		if (items.length > 1 && !plain) this.countByClaim(items);
	}

	private countByClaim(items: readonly RunItem[]): void {
		// By trace first: thousands of items may share one trace, and one trace thousands of claims.
		const byTrace = new Map<Trace, Counts>();
		for (const { base, kind, output } of items) {
			const counts = countOf(byTrace, base);
			counts[kind] += 1;
			if (kind === 'success') counts.successOn[output] = (counts.successOn[output] ?? 0) + 1;
		}
		for (const [trace, counts] of byTrace) {
			for (const { handle } of openOf(trace)) addCounts(countOf(this.counts, handle.token), counts);
		}
	}

	through({ base, kind, output }: RunItem): Trace {
		const key = `${output} ${kind}`;
		const known = this.passed.get(key) ?? new Map<Trace, Trace>();
		this.passed.set(key, known);
		const trace = known.get(base) ?? mapOpen(base, (found) => this.add(found, kind, output));
		known.set(base, trace);
		return trace;
	}

	private add({ handle, facts }: Found, own: ItemKind, output: number): PathFacts {
		const { pinned, enabled, disabled } = this.ofNode;
		const nothingNew = (facts.pinned || !pinned) && (facts.enabled || !enabled) && (facts.disabled || !disabled);
		const counts = this.counts.get(handle.token);
		const beside = counts === undefined ? NO_FACTS : besideOf(counts, own, output);
		if (nothingNew && beside === NO_FACTS) return facts;
		return addFacts(addFacts(facts, beside), this.ofNode);
	}
}

/**
 * The others of one claim, seen from an item of it. Two limits keep what was dealt with from looking mixed:
 * errors beside an error say nothing new (all failed, or what follows deals with errors, as a second
 * provider does), nor do successes that left by the same output as a success (they go the same way).
 */
function besideOf(counts: Counts, own: ItemKind, output: number): PathFacts {
	const errors = own === 'error' ? 0 : counts.error;
	const successes = own === 'success' ? counts.success - (counts.successOn[output] ?? 0) : counts.success;
	const ghosts = own === 'ghost' ? counts.ghost - 1 : counts.ghost;
	return errors + successes + ghosts === 0 ? NO_FACTS : { ...NO_FACTS, errors, successes, ghosts };
}

function countOf<Key>(map: Map<Key, Counts>, key: Key): Counts {
	let counts = map.get(key);
	if (counts === undefined) {
		counts = { error: 0, ghost: 0, success: 0, successOn: [] };
		map.set(key, counts);
	}
	return counts;
}

function addCounts(sum: Counts, more: Counts): void {
	sum.error += more.error;
	sum.ghost += more.ghost;
	sum.success += more.success;
	more.successOn.forEach((count, output) => {
		sum.successOn[output] = (sum.successOn[output] ?? 0) + count;
	});
}
