import type { ExpireCommand } from '../../core/commands';
import { inFilter, lastDue, positionOf, tellsOf } from '../../core/feed';
import type { ChangesQuery, FeedOrExpirable, FeedPosition } from '../../core/feed';
import type { LedgerRecord } from '../../core/record';
import { decideExpire } from '../../core/transitions';
import { STEP_COMMANDS, stepLimit, writeRecord } from './apply';
import type { OpenFile } from './openFile';
import { asText, recordOf } from './rows';

/** Before every record. */
export const FEED_START: FeedPosition = { at: -Number.MAX_SAFE_INTEGER, key: '' };

interface Step {
	records: LedgerRecord[];
	/** where to go on; null at the end */
	next: FeedPosition | null;
}

/** One step through a feed: the records it tells of among the next few. */
export function nextChanges(file: OpenFile, query: ChangesQuery, at: number, after: FeedPosition, wanted: number): Step {
	const limit = Math.min(wanted, STEP_COMMANDS);
	const { records, next } = nextInFeed(file, query.feed, after, lastDue(query, at), limit);
	return { records: records.filter((record) => tellsOf(record, query, at)), next };
}

/** One step of moving claims that are over: the specification decides. To be run inside a write transaction. */
export function expireNext(file: OpenFile, command: ExpireCommand, now: number, after: FeedPosition, wanted: number): Step {
	const found = nextInFeed(file, 'expirable', after, now - command.graceMs, STEP_COMMANDS);
	const moved: LedgerRecord[] = [];
	const enough = stepLimit();
	for (const [index, record] of found.records.entries()) {
		if (moved.length >= wanted || enough(index)) return { records: moved, next: positionOf(found.records[index - 1]) };
		if (!inFilter(record, command)) continue;
		const answer = decideExpire(record, command, now);
		if (answer.outcome !== 'expired' || answer.record === null) continue;
		writeRecord(file, answer.record);
		moved.push(answer.record);
	}
	return { records: moved, next: found.next };
}

function nextInFeed({ statements }: OpenFile, feed: FeedOrExpirable, after: FeedPosition, until: number, limit: number): Step {
	const rows = statements.readFeed.all({ feed, at: after.at, key: asText(after.key), until, limit });
	const records = rows.map(recordOf);
	return { records, next: records.length === limit ? positionOf(records[limit - 1]) : null };
}
