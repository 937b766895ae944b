import type { IExecuteFunctions } from 'n8n-workflow';

import { claimedHandle, ownValue } from '../claimHandle';
import { carriedFields, trustsCarried } from './carriedHandle';
import { isGhost } from './itemKind';
import { Lineage } from './lineage';
import { linkLost, problemOf } from './problems';
import { linksOf, NO_LINK, storedRunsOf, type StoredRuns } from './runData';
import { atCarrier, EMPTY, NO_FACTS, union, type Found, type Trace } from './trace';
import type { ClaimSearch, FoundClaim, ItemClaims, Sideways } from './types';
import { upstreamNodesOf, type UpstreamNode } from './upstreamNodes';
import { claimWithoutRunData } from './withoutRunData';

/** Of one execution, per node that searches: a loop comes back with the same run data, grown. */
const lineages = new WeakMap<object, Map<string, Lineage>>();

/**
 * Find the claims behind the items of the running node by walking each item's links back through the
 * run data, as design section 5 says. Build it once per `execute`; it throws nothing, a search that
 * leads nowhere is a `problem`.
 */
export function findClaims(context: IExecuteFunctions): ClaimSearch {
	const nodes = upstreamNodesOf(context);
	const stored = storedRunsOf(context);
	if (stored === null) return { forItem: (itemIndex) => withoutPath(context, itemIndex, nodes) };
	const lineage = lineageOf(stored, context.getNode().name, nodes);
	lineage.workOutClaims();
	const answers = new Map<Trace, ItemClaims>();
	return {
		forItem: (itemIndex) => {
			const { trace, ghost } = startOf(context, itemIndex, lineage, nodes);
			const answer = answers.get(trace) ?? describe(trace, nodes);
			answers.set(trace, answer);
			return { ...answer, isGhost: ghost };
		},
	};
}

export function lineageOf(stored: StoredRuns, node: string, nodes: ReadonlyMap<string, UpstreamNode>): Lineage {
	const ofExecution = lineages.get(stored.runData) ?? new Map<string, Lineage>();
	lineages.set(stored.runData, ofExecution);
	const lineage = ofExecution.get(node) ?? new Lineage(stored, nodes);
	ofExecution.set(node, lineage);
	return lineage;
}

/** From an item in this node's hands to the stored item it is a copy of. */
function startOf(
	context: IExecuteFunctions,
	itemIndex: number,
	lineage: Lineage,
	nodes: ReadonlyMap<string, UpstreamNode>,
): { trace: Trace; ghost: boolean } {
	const item = context.getInputData()[itemIndex];
	const links = linksOf(item.pairedItem, context.getExecuteData().source?.main ?? []);
	const traces = links.flatMap((link) => {
		const trace = link === NO_LINK ? undefined : lineage.traceAt(link);
		return trace === undefined ? [] : [trace];
	});
	if (traces.length > 0) {
		const [first] = links;
		const ghost = first !== NO_LINK && lineage.isGhostAt(first);
		return { trace: union(traces), ghost };
	}
	// n8n says nothing of where the item came from; what it carries still counts, where it may carry something.
	for (const field of carriedFields(nodes.values())) {
		const handle = claimedHandle(ownValue(item.json, field));
		if (handle === null || !trustsCarried(nodes.values())) continue;
		const found: Found = { handle, node: context.getNode().name, json: null, outer: EMPTY, facts: NO_FACTS };
		return { trace: atCarrier(found, EMPTY), ghost: false };
	}
	return { trace: EMPTY_START, ghost: isGhost(item, 0) };
}

const EMPTY_START: Trace = { ...EMPTY };

function describe(trace: Trace, nodes: ReadonlyMap<string, UpstreamNode>): ItemClaims {
	const unlinked = trace === EMPTY_START && [...nodes.values()].some(({ role, disabled }) => role === 'claim' && !disabled);
	const problem = unlinked ? linkLost(null) : problemOf(trace, nodes);
	const choices = [trace.claims.open, trace.carried.open, trace.claims.sealed, trace.carried.sealed];
	const choice = choices.find((found) => found.length > 0) ?? [];
	const claims = problem === null ? choice.map(toClaim) : [];
	return {
		claims,
		alreadySealed: claims.length > 0 && (choice === trace.claims.sealed || choice === trace.carried.sealed),
		carried: claims.length > 0 && (choice === trace.carried.open || choice === trace.carried.sealed),
		sideways: sumOf(claims.map(({ sideways }) => sideways)),
		pinned: claims.some(({ pinned }) => pinned),
		onlyDisabledBetween: claims.some(({ onlyDisabledBetween }) => onlyDisabledBetween),
		isGhost: false,
		lostAt: trace.clues.filter(({ kind }) => kind === 'lost').map(({ node }) => node),
		sawPath: true,
		problem,
	};
}

function toClaim({ handle, node, json, facts }: Found): FoundClaim {
	const { errors, successes, ghosts, pinned, enabled, disabled } = facts;
	return { handle, claimNode: node, json, sideways: { errors, successes, ghosts }, pinned, onlyDisabledBetween: disabled && !enabled };
}

function sumOf(all: readonly Sideways[]): Sideways {
	const sum = { errors: 0, successes: 0, ghosts: 0 };
	for (const { errors, successes, ghosts } of all) {
		sum.errors += errors;
		sum.successes += successes;
		sum.ghosts += ghosts;
	}
	return sum;
}

function withoutPath(context: IExecuteFunctions, itemIndex: number, nodes: ReadonlyMap<string, UpstreamNode>): ItemClaims {
	const answer = claimWithoutRunData(context, itemIndex, nodes);
	const nothing = { ...describe(EMPTY, nodes), problem: null, sawPath: false, isGhost: isGhost(context.getInputData()[itemIndex], 0) };
	if ('kind' in answer) return { ...nothing, problem: answer };
	const claim = toClaim({ handle: answer.handle, node: answer.node, json: null, outer: EMPTY, facts: NO_FACTS });
	return { ...nothing, claims: [claim] };
}
