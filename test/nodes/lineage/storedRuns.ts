import type { INodeExecutionData, ISourceData, ITaskData } from 'n8n-workflow';

import { Lineage } from '../../../nodes/shared/lineage/lineage';
import type { UpstreamNode } from '../../../nodes/shared/lineage/upstreamNodes';

// Run data made by hand: for sizes that take long to run, and for what n8n itself doesn't make.

export type RunData = Record<string, ITaskData[]>;

const upstream = (...names: string[]): Map<string, UpstreamNode> =>
	new Map(names.map((name) => [name, { name, role: roleOf(name), disabled: false, outputField: 'idempotency', handsOver: true }]));
const roleOf = (name: string) => (name.startsWith('Claim') ? 'claim' : name.startsWith('Seal') ? 'seal' : 'other');

export function task(previous: string | null, outputs: INodeExecutionData[][], previousNodeRun = 0): ITaskData {
	const source: ISourceData[] = previous === null ? [] : [{ previousNode: previous, previousNodeRun }];
	return { startTime: 0, executionIndex: 0, executionTime: 0, source, data: { main: outputs } };
}

export const items = (count: number, json: (i: number) => object, link: (i: number) => INodeExecutionData['pairedItem'] = (item) => ({ item })) =>
	Array.from({ length: count }, (_, i) => ({ json: json(i), pairedItem: link(i) }) as INodeExecutionData);

export const claimed = (i: number) => ({
	idempotency: { status: 'claimed', key: `op:${i}`, token: `t${i}`, attempt: 1, operation: 'op', businessId: `${i}`, scope: null, version: null, executionId: null, ephemeral: false },
});

/** Nodes whose names begin with Claim or Seal are such nodes. */
export function lineageOf(runData: RunData, { pinned = [], disabled = [] }: { pinned?: string[]; disabled?: string[] } = {}): Lineage {
	const nodes = upstream(...Object.keys(runData));
	for (const name of disabled) nodes.set(name, { ...nodes.get(name)!, disabled: true });
	return new Lineage({ runData, pinned: new Set(pinned) }, nodes);
}
