import type { Answer, AnswerDetail } from '../../core/commands';
import { decodeRecord, pairs } from './recordFields';

/** A script's reply: outcome, detail, clock, then the record's fields (lua/include/record.lua, `reply`). */
export function answerOf<Outcome extends string>(reply: unknown): Answer<Outcome> {
	const [outcome, detail, at, ...flat] = reply as string[];
	return {
		outcome: outcome as Outcome,
		detail: detail === '' ? null : (detail as AnswerDetail),
		record: flat.length === 0 ? null : decodeRecord(pairs(flat)),
		at: Number(at),
	};
}
