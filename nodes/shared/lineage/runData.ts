import type { IExecuteFunctions, INodeExecutionData, IPairedItemData, ISourceData, ITaskData } from 'n8n-workflow';

import { ownValue } from '../claimHandle';

/** What every node of this execution has put out so far, as n8n stores it. */
export interface StoredRuns {
	/** identifies the execution; the same object for its whole life in memory */
	readonly runData: Readonly<Record<string, ITaskData[]>>;
	/** nodes whose output was pinned, so that they didn't run */
	readonly pinned: ReadonlySet<string>;
}

/** Where a stored item is. */
export interface Position {
	readonly node: string;
	readonly run: number;
	readonly output: number;
	readonly index: number;
}

/**
 * The run data of the execution context: there in every n8n that has been looked at, but not in the
 * type IExecuteFunctions, so one day it may be gone. The only place that knows it. Null = not there.
 */
export function storedRunsOf(context: IExecuteFunctions): StoredRuns | null {
	const { runExecutionData } = context as unknown as { runExecutionData?: unknown };
	const resultData = ownValue(runExecutionData, 'resultData');
	const runData = ownValue(resultData, 'runData');
	if (typeof runData !== 'object' || runData === null) return null;
	const pinData = ownValue(resultData, 'pinData');
	const pinned = new Set(typeof pinData === 'object' && pinData !== null ? Object.keys(pinData) : []);
	return { runData: runData as Record<string, ITaskData[]>, pinned };
}

export function runsOf(stored: StoredRuns, node: string): readonly ITaskData[] {
	return (Object.hasOwn(stored.runData, node) ? stored.runData[node] : undefined) ?? [];
}

export function taskAt(stored: StoredRuns, node: string, run: number): ITaskData | undefined {
	return runsOf(stored, node)[run];
}

export function outputsOf(task: ITaskData | undefined): ReadonlyArray<readonly INodeExecutionData[] | null> {
	return task?.data?.main ?? [];
}

export type Sources = ReadonlyArray<ISourceData | null>;

/** A link that doesn't say which item it means. */
export const NO_LINK = null;

/** True for a node that the execution began with: there is nothing before it. */
export function isRoot(sources: Sources): boolean {
	return sources.every((source) => source === null || source === undefined);
}

/** The items that an item says it came of; an entry is null where that can't be told. Empty = it says nothing. */
export function linksOf(pairedItem: INodeExecutionData['pairedItem'], sources: Sources): Array<Position | typeof NO_LINK> {
	if (pairedItem === undefined || pairedItem === null) return [];
	const links = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return links.map((link) => positionOf(typeof link === 'number' ? { item: link } : link, sources));
}

function positionOf(link: IPairedItemData, sources: Sources): Position | typeof NO_LINK {
	if (link === null || typeof link !== 'object' || !Number.isSafeInteger(link.item)) return NO_LINK;
	// A loop's items come from its first round, whatever this round's source is: only the overwrite knows.
	const source = link.sourceOverwrite ?? sourceOf(sources, link.input ?? 0);
	if (!source || typeof source.previousNode !== 'string') return NO_LINK;
	return {
		node: source.previousNode,
		run: source.previousNodeRun ?? 0,
		output: source.previousNodeOutput ?? 0,
		index: link.item,
	};
}

function sourceOf(sources: Sources, input: number): ISourceData | null | undefined {
	if (sources[input]) return sources[input];
	// Nodes with several inputs often leave `input` out; with one input in use there is no doubt.
	const used = sources.filter((source) => source !== null && source !== undefined);
	return used.length === 1 ? used[0] : undefined;
}
