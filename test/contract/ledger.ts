import type {
	Answer,
	ClaimCommand,
	ExtendCommand,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import type { LedgerStore } from '../../ledger/core/store';
import { aged } from '../support/builders';
import type { OpenSubject, Subject } from '../support/subject';

/** The ledger under test, one command at a time. */
export interface TestLedger {
	readonly store: LedgerStore;
	another(): Promise<LedgerStore>;
	put(record: LedgerRecord): Promise<void>;
	claim(command: ClaimCommand): ReturnType<typeof one<'claim'>>;
	seal(command: SealCommand): ReturnType<typeof one<'seal'>>;
	extend(command: ExtendCommand): ReturnType<typeof one<'extend'>>;
	release(command: ReleaseCommand): ReturnType<typeof one<'release'>>;
	resolve(command: ResolveCommand): ReturnType<typeof one<'resolve'>>;
	read(key: string): Promise<LedgerRecord | null>;
	/** The record, which has to be there. */
	record(key: string): Promise<LedgerRecord>;
	/** The store's clock, epoch ms. */
	now(): Promise<number>;
	/** Let that many ms pass for this key. */
	pass(key: string, ms: number): Promise<void>;
}

type Method = 'claim' | 'seal' | 'extend' | 'release' | 'resolve';
type CommandOf<Name extends Method> = Parameters<LedgerStore[Name]>[0][number];
type AnswerOf<Name extends Method> = Awaited<ReturnType<LedgerStore[Name]>>[number];

async function one<Name extends Method>(
	store: LedgerStore,
	method: Name,
	command: CommandOf<Name>,
): Promise<AnswerOf<Name>> {
	const run = store[method].bind(store) as (commands: unknown[]) => Promise<Array<Answer<string>>>;
	const answers = await run([command]);
	expect(answers).toHaveLength(1);
	return answers[0] as AnswerOf<Name>;
}

/** Open the subject for the tests of the surrounding describe block; `each` = anew for each test. */
export function usingLedger(subject: Subject, each: 'each' | 'all' = 'all'): TestLedger {
	let opened: OpenSubject | undefined;
	const open = async () => {
		opened = await subject.open();
	};
	const close = async () => {
		await opened?.close();
		opened = undefined;
	};
	if (each === 'each') {
		beforeEach(open);
		afterEach(close);
	} else {
		beforeAll(open);
		afterAll(close);
	}

	const current = (): OpenSubject => {
		if (opened === undefined) throw new Error('The ledger under test is open only while a test runs');
		return opened;
	};
	const read = async (key: string) => (await current().store.get([key])).records[0];
	const record = async (key: string) => {
		const found = await read(key);
		if (found === null) throw new Error(`There is no record of ${key}`);
		return found;
	};
	return {
		get store() {
			return current().store;
		},
		another: () => current().another(),
		put: (given) => current().put(given),
		claim: (command) => one(current().store, 'claim', command),
		seal: (command) => one(current().store, 'seal', command),
		extend: (command) => one(current().store, 'extend', command),
		release: (command) => one(current().store, 'release', command),
		resolve: (command) => one(current().store, 'resolve', command),
		read,
		record,
		now: async () => (await current().store.get([])).at,
		pass: async (key, ms) => current().put(aged(await record(key), ms)),
	};
}
