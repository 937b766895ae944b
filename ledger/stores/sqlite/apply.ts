import type { Answer, SealCommand } from '../../core/commands';
import type { LedgerRecord } from '../../core/record';
import { noteSharedExternalId } from '../../core/transitions';
import type { OpenFile } from './openFile';
import { asText, fromText, recordOf, rowOf } from './rows';

export type Decide<Command, Outcome extends string> = (
	record: LedgerRecord | null,
	command: Command,
	now: number,
) => Answer<Outcome>;

/**
 * What SQLite does blocks the whole process, so no step decides for longer than this; the commit, with
 * its waiting for the disk, comes on top …
 */
const STEP_MS = 10;
/** … or so many commands; whatever comes first. */
export const STEP_COMMANDS = 200;

/** Whether a step has done its share. */
export function stepLimit(): (done: number) => boolean {
	const started = performance.now();
	return (done) => done >= STEP_COMMANDS || (done > 0 && performance.now() - started >= STEP_MS);
}

/**
 * Decide as many commands, from the first on, as one step allows, each on the record as the one before
 * left it. The decision is the specification itself. To be run inside a write transaction.
 */
export function apply<Command extends { key: string }, Outcome extends string>(
	file: OpenFile,
	commands: Command[],
	decide: Decide<Command, Outcome>,
	now: number,
): Array<Answer<Outcome>> {
	const answers: Array<Answer<Outcome>> = [];
	const enough = stepLimit();
	for (const command of commands) {
		if (enough(answers.length)) break;
		const stored = readRecord(file, command.key);
		const answer = decide(stored, command, now);
		if (answer.record === null) {
			if (stored !== null) file.statements.deleteRecord.run({ key: asText(command.key) });
		} else if (answer.record !== stored) {
			writeRecord(file, answer.record);
		}
		answers.push(answer);
	}
	return answers;
}

/**
 * The second, advisory step of a seal: note when another key of the operation has the external ID. In
 * the same transaction, after all of the step's seals, so that both of two such seals say so.
 */
export function lookSideways<Outcome extends string>(
	file: OpenFile,
	answer: Answer<Outcome>,
	command: SealCommand,
): Answer<Outcome> {
	const { record, at } = answer;
	if (!command.externalIdIsUnique || command.word !== 'success' || record?.state !== 'succeeded') return answer;
	if (record.externalId === null || answer.outcome !== 'sealed') return answer;
	const row = file.statements.findOtherKey.get({
		externalId: asText(record.externalId),
		operation: asText(record.operation),
		key: asText(record.key),
		at,
	});
	if (row === undefined) return answer;
	const note = (on: LedgerRecord) => noteSharedExternalId(on, fromText(String(row.key)), command.executionId, at);
	// On what is stored now: a later command of the same step may have changed the record again.
	const stored = readRecord(file, record.key);
	const noted = stored && note(stored);
	if (noted && noted !== stored) writeRecord(file, noted);
	return { ...answer, record: note(record), detail: 'anomaly' };
}

export function readRecord(file: OpenFile, key: string): LedgerRecord | null {
	const row = file.statements.getRecord.get({ key: asText(key) });
	return row === undefined ? null : recordOf(row);
}

export function writeRecord(file: OpenFile, record: LedgerRecord): void {
	file.statements.putRecord.run(rowOf(record));
}
