import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { DerivedKey } from '../../ledger/core/key';
import type { LedgerStore } from '../../ledger/core/store';
import { withLedger } from '../../ledger/stores/ledgerRegistry';
import type { ItemOutputs } from '../shared/itemLoop';
import { loadLedgerCredential } from '../shared/ledgerCredential';
import { recordJson } from '../shared/recordJson';
import { listRecords, readListing } from './listRecords';
import { readRecordKey } from './recordKey';
import { PROMETHEUS_CONTENT_TYPE, prometheusText } from './prometheusText';
import { statisticsJson } from './statisticsJson';

type Ledger = <Value>(use: (store: LedgerStore) => Promise<Value>) => Promise<Value>;

/** Answer each item's question. What isn't settled when this returns or throws has failed. */
export async function lookUpItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	const { settings, hashSecret } = await loadLedgerCredential(context);
	const ledger: Ledger = (use) => withLedger(settings, use);
	const operation = context.getNodeParameter('operation', 0) as string;
	if (operation === 'get') return await getRecords(context, outputs, ledger, hashSecret);

	for (const itemIndex of outputs.items.keys()) {
		try {
			if (operation === 'getMany') await getMany(context, outputs, ledger, itemIndex);
			else await getStatistics(context, outputs, ledger, itemIndex);
		} catch (error) {
			outputs.fail(itemIndex, error);
			if (outputs.stopsOnFailure) return;
		}
	}
}

/** All records in one round trip. A key that isn't there is an answer, not an error. */
async function getRecords(context: IExecuteFunctions, outputs: ItemOutputs, ledger: Ledger, hashSecret: string | null) {
	const asked: Array<{ itemIndex: number; parts: DerivedKey }> = [];
	for (const itemIndex of outputs.items.keys()) {
		try {
			asked.push({ itemIndex, parts: readRecordKey(context, itemIndex, hashSecret) });
		} catch (error) {
			outputs.fail(itemIndex, error);
			if (outputs.stopsOnFailure) return;
		}
	}
	if (asked.length === 0) return;
	const { records, at } = await ledger((store) => store.get(asked.map(({ parts }) => parts.key)));
	asked.forEach(({ itemIndex, parts }, index) => {
		const record = records[index];
		const json: IDataObject = record ? recordJson(record, at) : { found: false, status: 'not_found', ...parts };
		outputs.emit(itemIndex, 0, json);
	});
}

async function getMany(context: IExecuteFunctions, outputs: ItemOutputs, ledger: Ledger, itemIndex: number) {
	const listing = readListing(context, itemIndex);
	const { records, nextCursor, at } = await listRecords(ledger, listing);
	const items = records.map((record) => recordJson(record, at));
	// On the last item only, where the next page goes on.
	if (nextCursor !== null) items[items.length - 1].nextCursor = nextCursor;
	if (outputs.isTool) {
		outputs.emit(itemIndex, 0, { status: 'ok', count: items.length, records: items, nextCursor });
	} else {
		outputs.settle(itemIndex);
		for (const json of items) outputs.emit(itemIndex, 0, json);
	}
}

async function getStatistics(context: IExecuteFunctions, outputs: ItemOutputs, ledger: Ledger, itemIndex: number) {
	const format = context.getNodeParameter('format', itemIndex, 'json') as string;
	const statistics = await ledger((store) => store.statistics());
	const json: IDataObject =
		format === 'prometheus'
			? { status: 'ok', metrics: prometheusText(statistics), contentType: PROMETHEUS_CONTENT_TYPE }
			: statisticsJson(statistics);
	outputs.emit(itemIndex, 0, json);
}
