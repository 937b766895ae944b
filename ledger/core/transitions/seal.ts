import type { SealCommand, SealOutcome } from '../commands';
import type { LedgerRecord } from '../record';
import { isUnknownWord } from '../states';
import type { StateReason } from '../states';
import { answer, change, entering, present } from './change';
import type { Decided } from './change';
import { orphanSuccess, sealStale } from './sealStale';
import { contradicts, keptSuccess, success, withNewId } from './sealSuccess';

/**
 * Decide a seal (design, section 3). Pure. The fencing token and the attempt are compared first;
 * everything else is the holder's own word, met with what the record already says.
 * @param stored record of the key, or null
 * @param now the store's clock, epoch ms
 */
export function decideSeal(
	stored: LedgerRecord | null,
	command: SealCommand,
	now: number,
): Decided<SealOutcome> {
	const record = present(stored, now);
	if (record === null) return orphanSuccess(command, now);
	if (record.token !== command.token || record.attempt !== command.attempt) {
		return sealStale(record, command, now);
	}
	switch (record.state) {
		case 'processing':
			return sealHeld(record, command, now);
		case 'needs_review':
			return sealInReview(record, command, now);
		case 'retryable_failed':
		case 'permanent_failed':
			return record.decidedBy ? sealDecided(record, command, now) : sealFailed(record, command, now);
		case 'succeeded':
			return sealSucceeded(record, command, now);
	}
}

/** The usual case: the holder's first word, the lease alive or over (nobody took it). */
function sealHeld(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (command.word === 'success') return success(record, command, now);
	if (record.lateSuccesses.length > 0) return toReview(record, 'late_success', command, now);
	if (command.rerun) return toReview(record, 'effect_rerun', command, now);
	switch (command.word) {
		case 'unknown':
			return toReview(record, 'unknown', command, now);
		case 'permanent':
			return toFailed(record, 'permanent', command, now);
		case 'unknown_retryable':
			return toRetry({ ...record, unknownEarlier: true }, command, now);
		case 'retryable':
			return toRetry(record, command, now);
	}
}

function sealInReview(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (record.reason === 'lease_expired') return sealHeld(record, command, now);
	if (record.reason === 'unknown') {
		if (command.word === 'success') return success(record, command, now);
		if (command.rerun) return toReview(record, 'effect_rerun', command, now);
		return sameWord(record, command) ? again(record, now) : stays(record, now);
	}
	if (command.word !== 'success') return stays(record, now);
	const kept = keptSuccess(record, command, now);
	const news = Object.keys(kept).length > 0;
	return stays(news ? change(record, kept, now, note('success_kept', command)) : record, now);
}

/** R or F by the holder's own word: the first word stands, unless the second one makes it doubtful. */
function sealFailed(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (sameWord(record, command)) return again(record, now);
	if (command.word === 'success') {
		const fields = { ...entering(record, 'needs_review', 'mixed_outcomes', now), ...keptSuccess(record, command, now) };
		return sealed(change(record, fields, now, note('mixed_outcomes', command)), now);
	}
	if (isUnknownWord(command.word)) return toReview(record, 'mixed_outcomes', command, now);
	return stays(record, now);
}

/** R or F because a person said so: only news moves it. */
function sealDecided(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (command.word === 'success') {
		if (record.state === 'retryable_failed') return success(record, command, now);
		const fields = { ...entering(record, 'needs_review', 'contradiction', now), ...keptSuccess(record, command, now) };
		return sealed(change(record, fields, now, note('contradiction', command)), now);
	}
	const news = isUnknownWord(command.word) && !isUnknownWord(record.sealedWord);
	return news ? toReview(record, 'unknown', command, now) : stays(record, now);
}

/** A success stands. A second one with another external ID means that the effect happened twice. */
function sealSucceeded(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (command.word !== 'success') return stays(record, now);
	const fields = withNewId(record, command, now);
	const news = Object.keys(fields).length > 0;
	const other = contradicts(record.externalId, command);
	const kept = news ? change(record, fields, now, note(other ? 'second_effect' : 'external_id', command)) : record;
	const twice = other || kept.anomalies.length > record.anomalies.length;
	return answer('sealed', kept, now, twice ? 'anomaly' : 'again');
}

/** Retry is due later, unless attempts or time are used up. */
function toRetry(record: LedgerRecord, command: SealCommand, now: number): Decided<SealOutcome> {
	if (record.attempt >= record.maxAttempts) return toFailed(record, 'attempts_exhausted', command, now);
	const retryAt = now + command.retryDelayMs;
	const deadlineAt = command.deadlineSeconds === null ? null : record.createdAt + command.deadlineSeconds * 1000;
	if (deadlineAt !== null && retryAt > deadlineAt) {
		return toFailed({ ...record, deadlineAt }, 'deadline', command, now);
	}
	const fields = { ...entering(record, 'retryable_failed', 'retryable', now), retryAt, deadlineAt };
	return sealed(change(record, { ...fields, ...told(command, now) }, now, note('retryable', command)), now);
}

/** Failed for good, unless an earlier attempt may have succeeded: that a person has to find out. */
function toFailed(
	record: LedgerRecord,
	reason: 'permanent' | 'attempts_exhausted' | 'deadline',
	command: SealCommand,
	now: number,
): Decided<SealOutcome> {
	if (record.unknownEarlier) return toReview(record, 'unknown_earlier', command, now);
	const fields = { ...entering(record, 'permanent_failed', reason, now), ...told(command, now) };
	return sealed(change(record, fields, now, note(reason, command)), now);
}

function toReview(
	record: LedgerRecord,
	reason: StateReason,
	command: SealCommand,
	now: number,
): Decided<SealOutcome> {
	const fields = { ...entering(record, 'needs_review', reason, now), ...told(command, now) };
	return sealed(change(record, fields, now, note(reason, command)), now);
}

/** What every failure word leaves on the record. */
function told(command: SealCommand, now: number): Partial<LedgerRecord> {
	const lastError = command.error === null ? {} : { lastError: { ...command.error, at: now } };
	return { sealedWord: command.word, ...lastError };
}

const note = (text: string, command: SealCommand) => ({ note: text, executionId: command.executionId });
const sameWord = (record: LedgerRecord, command: SealCommand) => record.sealedWord === command.word;
const sealed = (record: LedgerRecord, now: number) => answer<SealOutcome>('sealed', record, now);
const again = (record: LedgerRecord, now: number) => answer<SealOutcome>('sealed', record, now, 'again');
const stays = (record: LedgerRecord, now: number) => answer<SealOutcome>('already_sealed', record, now);
