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

type Counts = Record<ItemKind, number>;

/**
 * What a node adds to the paths through one run of it: whether it ran, was pinned or disabled, and
 * which items of the same claim came out beside. All items of the run are counted once, by claim.
 */
export class Passage {
	private readonly counts = new Map<string, Counts>();
	private readonly passed = new Map<Trace, Partial<Record<ItemKind, Trace>>>();
	private readonly ofNode: PathFacts;

	constructor(node: UpstreamNode, pinned: boolean, items: readonly RunItem[]) {
		const effect = node.role === 'other';
		this.ofNode = { ...NO_FACTS, pinned, enabled: effect && !node.disabled, disabled: effect && node.disabled };
		if (items.length > 1) this.countByClaim(items);
	}

	private countByClaim(items: readonly RunItem[]): void {
		// By trace first: thousands of items may share one trace, and one trace thousands of claims.
		const byTrace = new Map<Trace, Counts>();
		for (const { base, kind } of items) countOf(byTrace, base)[kind] += 1;
		for (const [trace, counts] of byTrace) {
			for (const { handle } of openOf(trace)) {
				const sum = countOf(this.counts, handle.token);
				for (const kind of ['success', 'error', 'ghost'] as const) sum[kind] += counts[kind];
			}
		}
	}

	through({ base, kind }: RunItem): Trace {
		const before = this.passed.get(base) ?? {};
		this.passed.set(base, before);
		return (before[kind] ??= mapOpen(base, (found) => this.add(found, kind)));
	}

	private add({ handle, facts }: Found, own: ItemKind): PathFacts {
		const { pinned, enabled, disabled } = this.ofNode;
		const nothingNew = (facts.pinned || !pinned) && (facts.enabled || !enabled) && (facts.disabled || !disabled);
		const counts = this.counts.get(handle.token);
		const beside = counts === undefined ? NO_FACTS : besideOf(counts, own);
		if (nothingNew && beside === NO_FACTS) return facts;
		return addFacts(addFacts(facts, beside), this.ofNode);
	}
}

/**
 * The others of one claim, seen from an item of it. Errors beside an error say nothing new: either all
 * failed, or what comes after this node deals with errors (a second try elsewhere, for example).
 */
function besideOf(counts: Counts, own: ItemKind): PathFacts {
	const errors = own === 'error' ? 0 : counts.error;
	const successes = own === 'success' ? counts.success - 1 : counts.success;
	const ghosts = own === 'ghost' ? counts.ghost - 1 : counts.ghost;
	return errors + successes + ghosts === 0 ? NO_FACTS : { ...NO_FACTS, errors, successes, ghosts };
}

function countOf<Key>(map: Map<Key, Counts>, key: Key): Counts {
	let counts = map.get(key);
	if (counts === undefined) {
		counts = { success: 0, error: 0, ghost: 0 };
		map.set(key, counts);
	}
	return counts;
}
