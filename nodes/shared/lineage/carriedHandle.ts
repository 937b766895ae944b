import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { claimedHandle, DEFAULT_OUTPUT_FIELD, ownValue, type ClaimHandleJson } from '../claimHandle';
import { atCarrier, NO_FACTS, withClue, type Found, type Trace } from './trace';
import type { UpstreamNode } from './upstreamNodes';

/** Fields in which an item may carry a handle: the default, and what the Claims before name. */
export function carriedFields(nodes: Iterable<UpstreamNode>): readonly string[] {
	const fields = new Set([DEFAULT_OUTPUT_FIELD]);
	for (const { role, outputField } of nodes) {
		if (role === 'claim' && outputField !== null) fields.add(outputField);
	}
	return [...fields];
}

/**
 * True if a handle in an item may be one that another workflow claimed. Where no workflow hands its
 * items over, a handle that no Claim of this execution gave is mere data: whoever posts an order with a
 * field `idempotency` must not be able to have a record of his choice sealed.
 */
export function trustsCarried(nodes: Iterable<UpstreamNode>): boolean {
	return [...nodes].some(({ handsOver }) => handsOver);
}

/**
 * Hold the item's own data against where its links lead.
 * - Nothing found above: a handle in the item is the claim (made in a parent workflow).
 * - The item carries another claim of this very execution: its links were guessed by position, by n8n,
 *   for a node that doesn't give any. Sealing what they lead to would seal the wrong record.
 */
export function lookAtItem(
	item: INodeExecutionData,
	node: string,
	trace: Trace,
	{ fields, known, trusted }: { fields: readonly string[]; known: ReadonlyMap<string, Found>; trusted: boolean },
): Trace {
	for (const field of fields) {
		const handle = claimedHandle(ownValue(item.json, field));
		if (handle === null || accountsFor(trace, handle.token)) continue;
		const claim = known.get(handle.token);
		if (claim === undefined && !trusted) {
			trace = withClue(trace, { kind: 'untrusted', node });
			continue;
		}
		if (trace.claims.open.length === 0) return carry(handle, { node, json: item.json }, trace, claim);
		if (claim !== undefined) {
			return { ...trace, claims: { open: [claim], sealed: [] }, wrongLink: { node, token: handle.token } };
		}
	}
	return trace;
}

/** A claim of this execution whose links are lost keeps what lies above it. */
function carry(handle: ClaimHandleJson, at: { node: string; json: IDataObject }, trace: Trace, claim: Found | undefined): Trace {
	const outer = claim?.outer ?? trace;
	return atCarrier({ handle, node: at.node, json: claim?.json ?? at.json, outer, facts: claim?.facts ?? NO_FACTS }, trace);
}

const tokensOf = new WeakMap<Trace, ReadonlySet<string>>();

/** True if the claim is on the way up from here, sealed or not. */
function accountsFor(trace: Trace, token: string): boolean {
	if (trace.spent.has(token) || nearbyTokens(trace).has(token)) return true;
	const seen = new Set<Trace>([trace]);
	const todo = [trace];
	for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
		if (next.spent.has(token) || nearbyTokens(next).has(token)) return true;
		for (const { outer } of allFound(next)) {
			if (!seen.has(outer)) todo.push(outer);
			seen.add(outer);
		}
	}
	return false;
}

function allFound({ claims, carried }: Trace): Found[] {
	return [...claims.open, ...claims.sealed, ...carried.open, ...carried.sealed];
}

function nearbyTokens(trace: Trace): ReadonlySet<string> {
	let tokens = tokensOf.get(trace);
	if (tokens === undefined) {
		tokens = new Set(allFound(trace).map(({ handle }) => handle.token));
		tokensOf.set(trace, tokens);
	}
	return tokens;
}
