import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { ChangesQuery, Feed, FeedPosition } from '../../ledger/core/feed';
import { endOfFeed, FEED_BEGINNING, readFeed } from '../../ledger/core/feedReader';
import type { LedgerStore } from '../../ledger/core/store';
import { withLedger } from '../../ledger/stores/ledgerRegistry';
import { loadLedgerCredential } from '../shared/ledgerCredential';
import { recordJson } from '../shared/recordJson';
import { eventOf, feedsOf } from './events';
import { readTriggerParameters } from './triggerParameters';
import type { TriggerParameters } from './triggerParameters';
import { readWatermarks, writeWatermarks } from './watermarks';
import type { Watermarks } from './watermarks';

/** Polls under way in this process, by workflow and node: n8n starts the next one whether or not one is. */
const underWay = new Set<string>();

/**
 * One poll: moves leases that ran out to review, then tells what is new in each feed. The watermarks are
 * written last, with everything they cover in hand: a poll that fails, or dies, is one that never was.
 * @returns null when there is nothing to tell
 */
export async function pollLedger(context: IPollFunctions): Promise<INodeExecutionData[] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const place = `${context.getWorkflow().id}:${context.getNode().id}`;
	// A second poll beside the first would tell the same. Not at the very first, which has to leave a mark.
	if (underWay.has(place) && Object.keys(readWatermarks(staticData)).length > 0) return null;
	underWay.add(place);
	try {
		const parameters = readTriggerParameters(context);
		const { settings } = await loadLedgerCredential(context);
		return await withLedger(settings, async (store) => {
			const { items, watermarks } = await tellNews(store, parameters, readWatermarks(staticData));
			writeWatermarks(staticData, watermarks);
			return items.length === 0 ? null : items;
		});
	} finally {
		underWay.delete(place);
	}
}

async function tellNews(store: LedgerStore, parameters: TriggerParameters, before: Watermarks) {
	const { events, filter, batchSize, emitExisting, leaseGraceMs } = parameters;
	const items: INodeExecutionData[] = [];
	// Feeds that aren't read now keep their mark: an event chosen again goes on from there.
	const watermarks: Watermarks = { ...before };
	for (const feed of feedsOf(events)) {
		const query = { feed, ...filter, dueForMs: dueFor(feed, parameters) };
		const read = (after: FeedPosition, limit: number) => store.changes({ ...query, after, limit });
		const cursor = before[feed] ?? (emitExisting ? { after: FEED_BEGINNING, seen: {} } : await endOfFeed(read, query.dueForMs));
		// Not at the very first poll: if that failed later on, what it had moved would lie before the next mark.
		if (feed === 'review' && before.review !== undefined && events.includes('lease_ran_out')) {
			await store.expire({ ...filter, limit: batchSize, graceMs: leaseGraceMs });
		}
		const { records, cursor: next, at } = await readFeed(read, cursor, {
			limit: batchSize,
			dueForMs: query.dueForMs,
			accepts: (record) => eventOf(record, feed, events) !== null,
		});
		for (const record of records) items.push({ json: itemJson(eventOf(record, feed, events), recordJson(record, at)) });
		watermarks[feed] = next;
	}
	return { items, watermarks };
}

/** What is due only after a while: leases after the grace period, retries when nobody came for so long. */
export function dueFor(feed: ChangesQuery['feed'], { leaseGraceMs, overdueAfterMs }: TriggerParameters): number {
	const delays: Partial<Record<Feed, number>> = { lapsed: leaseGraceMs, overdue: overdueAfterMs };
	return delays[feed] ?? 0;
}

export const itemJson = (event: string | null, record: IDataObject): IDataObject => ({ event, ...record });
