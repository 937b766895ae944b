import type { IDataObject } from 'n8n-workflow';

import type { ClaimHandleJson } from '../claimHandle';

/**
 * What the way up from one stored item leads to. Never changed once made, and shared by all items it
 * is true of: that keeps the walk linear, also behind a fan-in of thousands.
 */
export interface Trace {
	/** claims found at Claim nodes; they go before handles that items carry */
	readonly claims: Layer;
	/** handles that items carry, nearest first */
	readonly carried: Layer;
	/** sealed below, and not met yet on the way up */
	readonly spent: ReadonlySet<string>;
	/** what else was seen, to explain why nothing was found */
	readonly clues: readonly Clue[];
	/** item data names another claim of this execution than the links do */
	readonly wrongLink: { readonly node: string; readonly token: string } | null;
}

interface Layer {
	/** the nearest on each path that no Seal below has sealed */
	readonly open: readonly Found[];
	/** the nearest that one has */
	readonly sealed: readonly Found[];
}

export interface Found {
	readonly handle: ClaimHandleJson;
	readonly node: string;
	/** of the item it was found in; null = not seen */
	readonly json: IDataObject | null;
	/** the way further up from where it was found */
	readonly outer: Trace;
	readonly facts: PathFacts;
}

/** About the path from a claim down to here. */
export interface PathFacts {
	readonly errors: number;
	readonly successes: number;
	readonly ghosts: number;
	readonly pinned: boolean;
	/** a node ran in between that isn't one of ours */
	readonly enabled: boolean;
	/** one was disabled */
	readonly disabled: boolean;
}

export interface Clue {
	readonly kind: 'lost' | 'claimDisabled' | 'notClaimed' | 'claimFailed' | 'untrusted' | 'root';
	readonly node: string;
	/** for `notClaimed`: the output's number */
	readonly output?: number;
}

export const NO_FACTS: PathFacts = { errors: 0, successes: 0, ghosts: 0, pinned: false, enabled: false, disabled: false };
const NO_LAYER: Layer = { open: [], sealed: [] };
const NOTHING: ReadonlySet<string> = new Set();
export const EMPTY: Trace = { claims: NO_LAYER, carried: NO_LAYER, spent: NOTHING, clues: [], wrongLink: null };

export function withClue(trace: Trace, clue: Clue): Trace {
	return { ...trace, clues: unionClues([trace.clues, [clue]]) };
}

/** A trace that ends at a claim: whatever lies above is its `outer`. */
export function atClaim(found: Found): Trace {
	return { ...EMPTY, claims: { open: [found], sealed: [] } };
}

/** The item carries a handle that nothing above it accounts for. */
export function atCarrier(found: Found, trace: Trace): Trace {
	return { ...trace, carried: { open: [found], sealed: [] } };
}

/** The claims that a Seal here would seal, unless all are sealed. */
export function openOf(trace: Trace): readonly Found[] {
	return trace.claims.open.length > 0 ? trace.claims.open : trace.carried.open;
}

/** Add what the path gained to every open claim; the same trace if that's nothing new. */
export function mapOpen(trace: Trace, change: (found: Found) => PathFacts): Trace {
	const claims = mapLayer(trace.claims, change);
	const carried = mapLayer(trace.carried, change);
	return claims === trace.claims && carried === trace.carried ? trace : { ...trace, claims, carried };
}

function mapLayer(layer: Layer, change: (found: Found) => PathFacts): Layer {
	let changed = false;
	const open = layer.open.map((found) => {
		const facts = change(found);
		if (facts === found.facts) return found;
		changed = true;
		return { ...found, facts };
	});
	return changed ? { ...layer, open } : layer;
}

export function addFacts(a: PathFacts, b: PathFacts): PathFacts {
	if (a === b || b === NO_FACTS) return a;
	return {
		errors: a.errors + b.errors,
		successes: a.successes + b.successes,
		ghosts: a.ghosts + b.ghosts,
		pinned: a.pinned || b.pinned,
		enabled: a.enabled || b.enabled,
		disabled: a.disabled || b.disabled,
	};
}

/** Join the paths of an item that came of several. */
export function union(traces: readonly Trace[]): Trace {
	const distinct = [...new Set(traces)];
	if (distinct.length <= 1) return distinct[0] ?? EMPTY;
	const layer = (pick: (trace: Trace) => Layer): Layer => ({
		open: nearest(unionFound(distinct.map((trace) => pick(trace).open))),
		sealed: nearest(unionFound(distinct.map((trace) => pick(trace).sealed))),
	});
	return {
		claims: layer((trace) => trace.claims),
		carried: layer((trace) => trace.carried),
		spent: unionTokens(distinct.map((trace) => trace.spent)),
		clues: unionClues(distinct.map((trace) => trace.clues)),
		wrongLink: distinct.find((trace) => trace.wrongLink !== null)?.wrongLink ?? null,
	};
}

export function unionFound(lists: ReadonlyArray<readonly Found[]>): Found[] {
	const byToken = new Map<string, Found>();
	for (const found of lists.flat()) {
		const before = byToken.get(found.handle.token);
		const joined = before === undefined || before === found ? found : { ...found, facts: addFacts(found.facts, before.facts) };
		byToken.set(found.handle.token, joined);
	}
	return [...byToken.values()];
}

/** Leave out claims that lie above another one: a shortcut past an inner claim doesn't open the outer one. */
export function nearest(list: Found[]): Found[] {
	if (list.length < 2) return list;
	const above = new Set<string>();
	const seen = new Set<Trace>();
	const todo = list.map((found) => found.outer);
	for (let trace = todo.pop(); trace !== undefined; trace = todo.pop()) {
		if (seen.has(trace)) continue;
		seen.add(trace);
		for (const found of [...trace.claims.open, ...trace.carried.open]) {
			above.add(found.handle.token);
			todo.push(found.outer);
		}
	}
	return above.size === 0 ? list : list.filter((found) => !above.has(found.handle.token));
}

export function unionTokens(sets: ReadonlyArray<ReadonlySet<string>>): ReadonlySet<string> {
	const filled = [...new Set(sets)].filter((set) => set.size > 0);
	if (filled.length < 2) return filled[0] ?? NOTHING;
	return new Set(filled.flatMap((set) => [...set]));
}

/** Few: one a kind, node and output. */
export function unionClues(lists: ReadonlyArray<readonly Clue[]>): readonly Clue[] {
	const filled = [...new Set(lists)].filter((list) => list.length > 0);
	if (filled.length < 2) return filled[0] ?? [];
	const byName = new Map(filled.flat().map((clue) => [`${clue.kind} ${clue.output ?? ''} ${clue.node}`, clue]));
	return [...byName.values()];
}
