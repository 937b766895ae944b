import type { Answer, AnswerDetail, ClaimOutcome } from '../../core/commands';
import { LedgerError } from '../../core/errors';
import type { Row } from './connection';
import { readRecord, readRow } from './rows';

/** What sql/claim.sql did, as it wrote it into the row → how the contract says it. */
const CLAIM_ANSWERS: Record<string, [ClaimOutcome, AnswerDetail | null]> = {
	first: ['claimed', 'first'],
	own: ['claimed', 'own'],
	retry: ['claimed', 'retry'],
	takeover: ['claimed', 'takeover'],
	replay: ['succeeded', null],
	busy: ['in_progress', null],
	settled: ['needs_review', null],
	late_success: ['needs_review', null],
	lease_expired: ['needs_review', null],
	unknown_earlier: ['needs_review', null],
	fingerprint_missing: ['conflict', 'fingerprint_missing'],
	fields_differ: ['conflict', 'fields_differ'],
	payload_differs: ['conflict', 'payload_differs'],
};

/**
 * The answer to a claim, or the key whose record is over and has to be forgotten first.
 * @throws LedgerError UNREADABLE_RECORD
 */
export function claimAnswer(row: Row): Answer<ClaimOutcome> | { over: string } {
	const { record, trace } = readRow(String(row.record));
	if (trace.answer === 'over') return { over: record.key };
	const told = CLAIM_ANSWERS[trace.answer ?? ''];
	if (told === undefined || trace.at === null) {
		throw new LedgerError('UNREADABLE_RECORD', 'The answer to a claim could not be read from the PostgreSQL ledger');
	}
	return { outcome: told[0], detail: told[1], record, at: trace.at };
}

/** The answer of a statement that returns outcome, at, record and perhaps a detail. */
export function commandAnswer<Outcome extends string>(row: Row): Answer<Outcome> {
	return {
		outcome: row.outcome as Outcome,
		detail: (row.detail ?? null) as AnswerDetail | null,
		record: row.record === null ? null : readRecord(row.record),
		at: Number(row.at),
	};
}
