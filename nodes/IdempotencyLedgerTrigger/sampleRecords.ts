import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { positionOf } from '../../ledger/core/feed';
import type { Feed } from '../../ledger/core/feed';
import type { LedgerRecord } from '../../ledger/core/record';
import type { LedgerStore } from '../../ledger/core/store';
import { withLedger } from '../../ledger/stores/ledgerRegistry';
import { loadLedgerCredential } from '../shared/ledgerCredential';
import { recordJson } from '../shared/recordJson';
import { eventOf, feedsOf } from './events';
import { dueFor, itemJson } from './pollLedger';
import { readTriggerParameters } from './triggerParameters';
import type { TriggerParameters } from './triggerParameters';

/** Items of a test run in the editor. */
const SAMPLES = 5;
const PAGE = 1_000;
const HOUR_MS = 3_600_000;
/** How far to look back for the newest, in ms; the last one is everything. */
const WINDOWS_MS = [HOUR_MS, 24 * HOUR_MS, 30 * 24 * HOUR_MS, Infinity];

interface Sample {
	feed: Feed;
	record: LedgerRecord;
	at: number;
}

/**
 * What the editor's test shows: the newest few records of the chosen events. It changes nothing: leases
 * that ran out are shown, not moved, and no mark is touched.
 */
export async function sampleRecords(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const parameters = readTriggerParameters(context);
	const { events, filter } = parameters;
	const { settings } = await loadLedgerCredential(context);
	return await withLedger(settings, async (store) => {
		const samples: Sample[] = [];
		for (const feed of feedsOf(events)) samples.push(...(await newest(store, feed, parameters)));
		const items = samples
			.sort((a, b) => positionOf(b.record).at - positionOf(a.record).at)
			.slice(0, SAMPLES)
			.map(({ feed, record, at }) => ({ json: itemJson(eventOf(record, feed, events), recordJson(record, at)) }));
		if (items.length > 0 || !events.includes('lease_ran_out')) return items;
		const { records, at } = await store.list({ ...filter, stuck: true, limit: SAMPLES });
		return records.map((record) => ({ json: itemJson('lease_ran_out', recordJson(record, at)) }));
	});
}

async function newest(store: LedgerStore, feed: Feed, parameters: TriggerParameters): Promise<Sample[]> {
	const { events, filter } = parameters;
	for (const windowMs of WINDOWS_MS) {
		const after = windowMs === Infinity ? null : { at: Date.now() - windowMs, key: '' };
		const { records, at } = await store.changes({ feed, ...filter, dueForMs: dueFor(feed, parameters), after, limit: PAGE });
		const found = records.filter((record) => eventOf(record, feed, events) !== null);
		if (found.length > 0) return found.slice(-SAMPLES).map((record) => ({ feed, record, at }));
	}
	return [];
}
