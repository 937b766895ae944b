import type { INodeExecutionData } from 'n8n-workflow';

import { claimedHandle, ownValue, sealedTokens } from '../claimHandle';
import { carriedFields, lookAtItem, trustsCarried } from './carriedHandle';
import { kindOf } from './itemKind';
import { Passage, type NodeRun, type RunItem } from './nodeRun';
import { isRoot, linksOf, NO_LINK, outputsOf, runsOf, taskAt, type Position, type Sources, type StoredRuns } from './runData';
import { sealTrace } from './sealTrace';
import { addFacts, atClaim, EMPTY, mapOpen, NO_FACTS, union, withClue, type Found, type PathFacts, type Trace } from './trace';
import type { UpstreamNode } from './upstreamNodes';

const CLAIMED_OUTPUT = 0;
const ABSORBED_ERROR: PathFacts = { ...NO_FACTS, errors: 1 };

interface Frame {
	node: string;
	run: number;
	/** runs that this one's items came of, still to be looked at */
	todo: Array<{ node: string; run: number }>;
}

/**
 * Traces of all stored items that lie before one node, worked out run by run from the top, each item
 * once for the whole execution: a Seal in a loop finds what its earlier rounds found.
 */
export class Lineage {
	private readonly runs = new Map<string, NodeRun>();
	private readonly fields: readonly string[];
	private readonly trusted: boolean;
	private readonly foundByToken = new Map<string, Found>();
	/** by Claim, how many of its runs have been worked out */
	private readonly claimRuns = new Map<string, number>();
	/** items looked at so far; tests hold it against the number of items there are */
	steps = 0;

	constructor(
		private readonly stored: StoredRuns,
		private readonly nodes: ReadonlyMap<string, UpstreamNode>,
	) {
		this.fields = carriedFields(nodes.values());
		this.trusted = trustsCarried(nodes.values());
	}

	/** The node as the workflow has it; one that isn't connected any more counts as any other node. */
	nodeOf(name: string): UpstreamNode {
		return this.nodes.get(name) ?? { name, role: 'other', disabled: false, outputField: null, handsOver: false };
	}

	/** Stored item at a position; undefined where run data has none. */
	itemAt({ node, run, output, index }: Position): INodeExecutionData | undefined {
		return outputsOf(taskAt(this.stored, node, run))[output]?.[index];
	}

	/**
	 * Work out the Claims first, in the order in which they ran: an item whose links are lost may carry
	 * any of their handles, and only what a Claim of this execution gave is known to be one.
	 */
	workOutClaims(): void {
		const fresh = [...this.nodes.values()].flatMap(({ name, role, disabled }) => {
			if (role !== 'claim' || disabled) return [];
			const runs = runsOf(this.stored, name);
			const from = this.claimRuns.get(name) ?? 0;
			this.claimRuns.set(name, runs.length);
			return runs.slice(from).map((task, index) => ({ name, run: from + index, at: task?.executionIndex ?? 0 }));
		});
		for (const { name, run } of fresh.sort((a, b) => a.at - b.at)) this.workOut(name, run);
	}

	/** Where the way up from a stored item leads; undefined if there is no such item. */
	traceAt(position: Position): Trace | undefined {
		this.workOut(position.node, position.run);
		return this.runs.get(keyOf(position.node, position.run))?.traces[position.output]?.[position.index];
	}

	/** True if the stored item there is the empty one of Always Output Data. */
	isGhostAt({ node, run, output, index }: Position): boolean {
		return this.runs.get(keyOf(node, run))?.kinds[output]?.[index] === 'ghost';
	}

	/** Runs before their items' sources: an own stack, since loops make chains of any length. */
	private workOut(node: string, run: number): void {
		const stack: Frame[] = [];
		const begun = new Set<string>();
		const begin = (ref: { node: string; run: number }) => {
			const key = keyOf(ref.node, ref.run);
			const task = taskAt(this.stored, ref.node, ref.run);
			// Begun already: run data that goes round in a circle; such a link leads nowhere.
			if (task === undefined || begun.has(key) || this.runs.get(key)?.task === task) return;
			begun.add(key);
			stack.push({ ...ref, todo: this.sourceRuns(ref.node, ref.run) });
		};
		begin({ node, run });
		for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
			const next = frame.todo.pop();
			if (next !== undefined) {
				begin(next);
				continue;
			}
			this.compute(frame.node, frame.run);
			stack.pop();
		}
	}

	private sourceRuns(node: string, run: number): Array<{ node: string; run: number }> {
		const task = taskAt(this.stored, node, run);
		const found = new Map<string, { node: string; run: number }>();
		const seen = new Set<unknown>();
		for (const items of outputsOf(task)) {
			for (const { pairedItem } of items ?? []) {
				if (Array.isArray(pairedItem)) {
					if (seen.has(pairedItem)) continue;
					seen.add(pairedItem);
				}
				for (const link of linksOf(pairedItem, task?.source ?? [])) {
					if (link !== NO_LINK) found.set(keyOf(link.node, link.run), { node: link.node, run: link.run });
				}
			}
		}
		return [...found.values()];
	}

	private compute(name: string, run: number): void {
		const task = taskAt(this.stored, name, run);
		if (task === undefined) return;
		const node = this.nodeOf(name);
		const pinned = this.stored.pinned.has(name) && !node.disabled;
		const origins = new Origins(this, name, task.source ?? []);
		const outputs = outputsOf(task).map((items, output) =>
			(items ?? []).map((item): RunItem => {
				this.steps += 1;
				const base = origins.of(item);
				const isSeal = node.role === 'seal' && !node.disabled;
				return { item, output, kind: kindOf(item, output, node), base: isSeal ? sealTrace(base, this.sealedBy(node, item)) : base };
			}),
		);
		const passage = new Passage(node, pinned, outputs.flat());
		const traces = outputs.map((items) =>
			items.map((one) => {
				const trace = passage.through(one);
				if (node.role === 'claim') return this.passClaim(node, one, trace, { pinned, failed: task.error !== undefined, origins });
				return lookAtItem(one.item, name, trace, { fields: this.fields, known: this.foundByToken, trusted: this.trusted });
			}),
		);
		this.runs.set(keyOf(name, run), { task, traces, kinds: outputs.map((items) => items.map(({ kind }) => kind)) });
	}

	/** Tokens that this Seal says it sealed. An expression may name the field, then any field counts. */
	private sealedBy(node: UpstreamNode, item: INodeExecutionData): string[] {
		if (node.outputField !== null) return sealedTokens(ownValue(item.json, node.outputField));
		return Object.values(item.json).flatMap((value) => sealedTokens(value));
	}

	private passClaim(
		node: UpstreamNode,
		{ item, output }: RunItem,
		outer: Trace,
		{ pinned, failed, origins }: { pinned: boolean; failed: boolean; origins: Origins },
	): Trace {
		if (node.disabled) return withClue(outer, { kind: 'claimDisabled', node: node.name });
		if (output !== CLAIMED_OUTPUT) return withClue(outer, { kind: 'notClaimed', node: node.name, output });
		const above = origins.itemsOf(item);
		// n8n puts a failed node's input on output 0: a token that came in isn't this Claim's.
		const cameIn = (token: string, field: string) =>
			above.some(({ json }) => claimedHandle(ownValue(json, field))?.token === token);
		const fields = node.outputField === null ? Object.keys(item.json) : [node.outputField];
		for (const field of failed ? [] : fields) {
			const handle = claimedHandle(ownValue(item.json, field));
			if (handle === null || cameIn(handle.token, field)) continue;
			const found: Found = { handle, node: node.name, json: item.json, outer, facts: { ...NO_FACTS, pinned } };
			this.foundByToken.set(handle.token, found);
			return atClaim(found);
		}
		return withClue(outer, { kind: 'claimFailed', node: node.name });
	}

	/** For Origins: what is known of an item's parent. */
	parentOf(link: Position): { trace: Trace; failed: boolean } | undefined {
		const run = this.runs.get(keyOf(link.node, link.run));
		const trace = run?.traces[link.output]?.[link.index];
		return trace === undefined ? undefined : { trace, failed: run?.kinds[link.output]?.[link.index] === 'error' };
	}
}

/** Where the items of one node run came from. Many of them may share one list of links. */
class Origins {
	private readonly byList = new Map<unknown, Trace>();
	private readonly lost: Trace;
	private readonly root: Trace;

	constructor(
		private readonly lineage: Lineage,
		node: string,
		private readonly sources: Sources,
	) {
		this.lost = withClue(EMPTY, { kind: 'lost', node });
		this.root = withClue(EMPTY, { kind: 'root', node });
	}

	of(item: INodeExecutionData): Trace {
		if (isRoot(this.sources)) return this.root;
		const { pairedItem } = item;
		if (!Array.isArray(pairedItem)) return this.join(item);
		const before = this.byList.get(pairedItem);
		if (before !== undefined) return before;
		const joined = this.join(item);
		this.byList.set(pairedItem, joined);
		return joined;
	}

	itemsOf(item: INodeExecutionData): INodeExecutionData[] {
		if (isRoot(this.sources)) return [];
		return linksOf(item.pairedItem, this.sources).flatMap((link) => {
			const above = link === NO_LINK ? undefined : this.lineage.itemAt(link);
			return above === undefined ? [] : [above];
		});
	}

	private join({ pairedItem }: INodeExecutionData): Trace {
		const links = linksOf(pairedItem, this.sources);
		if (links.length === 0) return this.lost;
		const absorbed = new Map<Trace, Trace>();
		return union(
			links.map((link) => {
				const parent = link === NO_LINK ? undefined : this.lineage.parentOf(link);
				if (parent === undefined) return this.lost;
				if (links.length === 1 || !parent.failed) return parent.trace;
				// A fan-in that takes up a failed item would hide the failure behind an item that looks fine.
				const marked = absorbed.get(parent.trace) ?? mapOpen(parent.trace, ({ facts }) => addFacts(facts, ABSORBED_ERROR));
				absorbed.set(parent.trace, marked);
				return marked;
			}),
		);
	}
}

function keyOf(node: string, run: number): string {
	return `${run} ${node}`;
}
