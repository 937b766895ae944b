import type {
	Answer,
	ClaimCommand,
	ExpireCommand,
	ExtendCommand,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../core/commands';
import { checkDelay } from '../../core/feed';
import type { ChangesPage, ChangesQuery, FeedPosition } from '../../core/feed';
import { checkLimit, decodeCursor, encodeCursor } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { SqliteSettings } from '../../core/settings';
import type { LedgerStore, ListPage, ListQuery, OperationStatistics, Statistics, StoreReport } from '../../core/store';
import { decideClaim, decideExtend, decideRelease, decideResolve, decideSeal, present } from '../../core/transitions';
import { apply, lookSideways, readRecord, STEP_COMMANDS, stepLimit } from './apply';
import type { Decide } from './apply';
import { countRows } from './counting';
import { expireNext, FEED_START, nextChanges } from './feeding';
import { checkSettings } from './fileName';
import { inspectFile } from './inspect';
import { LedgerFile } from './LedgerFile';
import { nextRecords, START } from './listing';
import { loadSqlite } from './loadSqlite';

/**
 * The embedded ledger: one SQLite file in n8n's own folder, through the SQLite built into Node.js.
 *
 * Each command is decided by the specification itself, inside a write transaction. SQLite works
 * synchronously, on n8n's own event loop; so batches are cut into steps of a few milliseconds, one
 * transaction each, with a turn of the loop before each (LedgerFile.ts). A batch whose later step
 * fails has done its earlier ones, as the contract allows: claims and seals can be repeated as they are.
 */
export class SqliteStore implements LedgerStore {
	readonly kind = 'sqlite';
	private readonly file: LedgerFile;

	/**
	 * Opens nothing yet: the file is opened, and made if need be, by the first command.
	 * @throws LedgerError INVALID_SETTINGS, NOT_SHARED, RUNTIME_TOO_OLD
	 */
	constructor(
		private readonly settings: SqliteSettings,
		clock: () => number = Date.now,
	) {
		checkSettings(settings);
		loadSqlite();
		this.file = new LedgerFile(settings, clock);
	}

	async claim(commands: ClaimCommand[]) {
		return this.decide(commands, decideClaim);
	}

	async seal(commands: SealCommand[]) {
		return this.decide(commands, decideSeal, lookSideways);
	}

	async extend(commands: ExtendCommand[]) {
		return this.decide(commands, decideExtend);
	}

	async release(commands: ReleaseCommand[]) {
		return this.decide(commands, decideRelease);
	}

	async resolve(commands: ResolveCommand[]) {
		return this.decide(commands, decideResolve);
	}

	async expire(command: ExpireCommand) {
		const limit = checkLimit(command.limit);
		checkDelay('The grace period', command.graceMs);
		const call = this.file.begin();
		const moved: LedgerRecord[] = [];
		let next: FeedPosition | null = FEED_START;
		while (next !== null && moved.length < limit) {
			const from: FeedPosition = next;
			const step = await call.write((file, now) => expireNext(file, command, now, from, limit - moved.length));
			moved.push(...step.records);
			next = step.next;
		}
		return moved;
	}

	async changes(query: ChangesQuery): Promise<ChangesPage> {
		const limit = checkLimit(query.limit);
		const call = this.file.begin();
		// Under the write lock, which changes nothing: no transaction of another process is under way then,
		// with an older time on what can't be seen yet.
		const at = await call.write((_file, now) => now);
		const records: LedgerRecord[] = [];
		let next: FeedPosition | null = query.after ?? FEED_START;
		while (next !== null && records.length < limit) {
			const from: FeedPosition = next;
			const step = await call.read((file) => nextChanges(file, query, at, from, limit - records.length));
			records.push(...step.records);
			next = step.next;
		}
		return { records, next, settled: at, at };
	}

	async get(keys: string[]) {
		const call = this.file.begin();
		const records: Array<LedgerRecord | null> = [];
		let at = 0;
		do {
			await call.read((file, now) => {
				at = now;
				const enough = stepLimit();
				const read = [];
				for (const key of keys.slice(records.length, records.length + STEP_COMMANDS)) {
					if (enough(read.length)) break;
					read.push(present(readRecord(file, key), now));
				}
				records.push(...read);
			});
		} while (records.length < keys.length);
		return { records, at };
	}

	async list(query: ListQuery): Promise<ListPage> {
		const limit = checkLimit(query.limit);
		let position = query.cursor === undefined ? START : decodeCursor(query.cursor);
		const call = this.file.begin();
		const at = await call.read((_file, now) => now);
		const found: LedgerRecord[] = [];
		// One more than the page, to know whether there is another page.
		while (found.length <= limit) {
			const from = position;
			const step = await call.read((file) => nextRecords(file, query, at, from, limit + 1 - found.length));
			found.push(...step.records);
			if (step.next === null) break;
			position = step.next;
		}
		const records = found.slice(0, limit);
		return { records, nextCursor: found.length > limit ? encodeCursor(records[limit - 1]) : null, at };
	}

	async statistics(): Promise<Statistics> {
		const call = this.file.begin();
		const at = await call.read((_file, now) => now);
		const operations = new Map<string, OperationStatistics>();
		let last: number | null = 0;
		while (last !== null) {
			const after: number = last;
			last = await call.read((file) => countRows(file, operations, at, after));
		}
		return { operations: [...operations.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1)), at };
	}

	async purge(limit: number) {
		const call = this.file.begin();
		let gone = 0;
		while (gone < limit) {
			const step = Math.min(limit - gone, STEP_COMMANDS);
			const { changes } = await call.write(({ statements }, at) => statements.purge.run({ at, limit: step }));
			gone += Number(changes);
			if (Number(changes) < step) break;
		}
		return gone;
	}

	async inspect(): Promise<StoreReport> {
		// A write transaction that writes nothing: finds a lock that stays and a disk that is read-only.
		return this.file.begin().write((file) => inspectFile(file, this.settings));
	}

	async close() {
		this.file.close();
	}

	private async decide<Command extends { key: string }, Outcome extends string>(
		commands: Command[],
		decide: Decide<Command, Outcome>,
		afterwards?: (file: Parameters<typeof apply>[0], answer: Answer<Outcome>, command: Command) => Answer<Outcome>,
	): Promise<Array<Answer<Outcome>>> {
		const call = this.file.begin();
		const answers: Array<Answer<Outcome>> = [];
		while (answers.length < commands.length) {
			const rest = commands.slice(answers.length);
			const step = await call.write((file, now) => {
				const decided = apply(file, rest, decide, now);
				return afterwards ? decided.map((answer, index) => afterwards(file, answer, rest[index])) : decided;
			});
			answers.push(...step);
		}
		return answers;
	}
}
