import type { IDataObject } from 'n8n-workflow';

import type { Feed } from '../../ledger/core/feed';
import type { FeedCursor } from '../../ledger/core/feedReader';

/**
 * How far each feed was told, as n8n keeps it for this node (workflow static data). n8n stores it when a
 * poll gives items and when the workflow is activated; after a restart, what polls without items had moved
 * on is read through again, and nothing of it is told twice.
 */
export type Watermarks = Partial<Record<Feed, FeedCursor>>;

const NAME = 'watermarks';

/** What another version wrote, or a person changed, counts as absent: the trigger then begins anew. */
export function readWatermarks(staticData: IDataObject): Watermarks {
	const stored = staticData[NAME];
	if (typeof stored !== 'object' || stored === null) return {};
	return Object.fromEntries(Object.entries(structuredCloneOf(stored)).filter(([, cursor]) => isCursor(cursor)));
}

/** Whole and anew, so that n8n notices the change. */
export function writeWatermarks(staticData: IDataObject, watermarks: Watermarks): void {
	staticData[NAME] = structuredCloneOf(watermarks) as IDataObject;
}

/** n8n hands out a proxy, which structuredClone refuses. */
const structuredCloneOf = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

function isCursor(value: unknown): value is FeedCursor {
	const { after, seen } = (value ?? {}) as Partial<FeedCursor>;
	const isPlace = typeof after?.key === 'string' && Number.isFinite(after.at);
	return isPlace && typeof seen === 'object' && seen !== null && Object.values(seen).every((time) => Number.isFinite(time));
}
