import {
	deepCopy,
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IPairedItemData,
	type ISourceData,
} from 'n8n-workflow';

import { describe, parameter } from './describe';

interface LoopState {
	items?: INodeExecutionData[];
	processed?: INodeExecutionData[];
	source?: ISourceData;
}

/** The link of an item that came in by the first round's source, whatever came in this round. */
function overwriteSource(pairedItem: INodeExecutionData['pairedItem'], source: ISourceData | undefined): IPairedItemData | IPairedItemData[] {
	if (Array.isArray(pairedItem)) return pairedItem.map((link) => overwriteSource(link, source) as IPairedItemData);
	const link = typeof pairedItem === 'object' ? pairedItem : { item: pairedItem ?? 0 };
	return { ...link, sourceOverwrite: source } as IPairedItemData;
}

/**
 * `test.loop`: n8n's Loop Over Items (Split in Batches, version 3). Output 0 is *done*, output 1 the
 * next batch of `batchSize`. From the second round on only `sourceOverwrite` says where an item came from.
 */
export const loopNode: INodeType = {
	description: describe('loop', [parameter('batchSize', 'number', 1)], {
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['done', 'loop'],
	}),
	async execute(this: IExecuteFunctions) {
		const state = this.getContext('node') as LoopState;
		const batchSize = this.getNodeParameter('batchSize', 0) as number;
		const incoming = this.getInputData().slice();
		let batch: INodeExecutionData[];
		if (state.items === undefined) {
			state.source = deepCopy(this.getInputSourceData());
			batch = incoming.splice(0, batchSize);
			state.items = incoming;
			state.processed = [];
		} else {
			batch = state.items.splice(0, batchSize);
			const source = this.getInputSourceData();
			const done = incoming.map((item, index) => ({ ...item, pairedItem: { item: index, sourceOverwrite: source } as IPairedItemData }));
			state.processed = [...(state.processed ?? []), ...done];
			for (const item of batch) item.pairedItem = overwriteSource(item.pairedItem, state.source);
		}
		return batch.length === 0 ? [state.processed ?? [], []] : [[], batch];
	},
};
