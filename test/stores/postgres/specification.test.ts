import * as fc from 'fast-check';

import type { Answer } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import {
	decideClaim,
	decideExtend,
	decideRelease,
	decideResolve,
	decideSeal,
	present,
} from '../../../ledger/core/transitions';
import type { OpenSubject } from '../../support/subject';
import { postgres } from '../../support/subjects/postgres';
import { anyClaim, anyExtend, anyRecord, anyRelease, anyResolve, anySeal } from './anyRecord';

/** Pairs of record and command for each command: one batch in the store, one call each in the specification. */
const PAIRS = 1500;
/** Five seconds each on an idle machine; drawing the values is most of it. */
jest.setTimeout(120_000);

let subject: OpenSubject;
beforeAll(async () => void (subject = await postgres.open()));
afterAll(() => subject.close());

type Pair<Command> = { record: LedgerRecord | null; command: Command };

async function compare<Command extends { key: string }, Outcome extends string>(
	name: string,
	anyCommand: (record: LedgerRecord) => fc.Arbitrary<Command>,
	send: (commands: Command[]) => Promise<Array<Answer<Outcome>>>,
	decide: (record: LedgerRecord | null, command: Command, now: number) => Answer<Outcome>,
): Promise<void> {
	const now = Date.now();
	const seed = Number(process.env.LEDGER_TEST_SEED ?? Math.floor(Math.random() * 1e9));
	const pairs: Array<Pair<Command>> = Array.from({ length: PAIRS }, (_one, index) => {
		const pair = anyRecord(`${name}:${index}`, now).chain((record) =>
			// One key in ten has no record.
			fc.record({ record: fc.constant(index % 10 === 0 ? null : record), command: anyCommand(record) }),
		);
		return fc.sample(pair, { numRuns: 1, seed: seed + index })[0];
	});
	for (const { record } of pairs) if (record) await subject.put(record);

	const keys = pairs.map(({ command }) => command.key);
	const before = await subject.store.get(keys);
	pairs.forEach(({ record }, index) => expect(before.records[index]).toEqual(present(record, before.at)));

	const answers = await send(pairs.map(({ command }) => command));
	const after = await subject.store.get(keys);
	pairs.forEach(({ record, command }, index) => {
		const expected = decide(record, command, answers[index].at);
		expect({ seed, record, command, answer: answers[index] }).toEqual({ seed, record, command, answer: expected });
		expect(after.records[index]).toEqual(expected.record);
	});
}

describe('PostgreSQL agrees with the specification on any record and any command', () => {
	test('claim', () => compare('claim', anyClaim, (commands) => subject.store.claim(commands), decideClaim));
	test('seal', () =>
		compare(
			'seal',
			// The second step has tests of its own; operations differ here, so it finds nothing.
			anySeal,
			(commands) => subject.store.seal(commands),
			decideSeal,
		));
	test('extend', () => compare('extend', anyExtend, (commands) => subject.store.extend(commands), decideExtend));
	test('release', () => compare('release', anyRelease, (commands) => subject.store.release(commands), decideRelease));
	test('resolve', () => compare('resolve', anyResolve, (commands) => subject.store.resolve(commands), decideResolve));
});
