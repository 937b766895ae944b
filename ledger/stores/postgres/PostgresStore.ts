import type {
	Answer,
	ClaimCommand,
	ClaimOutcome,
	ExpireCommand,
	ExtendCommand,
	ExtendOutcome,
	ReleaseCommand,
	ReleaseOutcome,
	ResolveCommand,
	ResolveOutcome,
	SealCommand,
	SealOutcome,
} from '../../core/commands';
import { isLedgerError, LedgerError } from '../../core/errors';
import { checkDelay } from '../../core/feed';
import type { ChangesPage, ChangesQuery } from '../../core/feed';
import { checkLimit } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { PostgresSettings } from '../../core/settings';
import type { LedgerStore, ListPage, ListQuery, Statistics, StoreReport } from '../../core/store';
import { claimAnswer, commandAnswer } from './answers';
import { PostgresConnection } from './connection';
import type { Row } from './connection';
import { namesOf } from './identifiers';
import type { Names } from './identifiers';
import { inspectLedger } from './inspect';
import { openLedger } from './opening';
import { claimColumns, extendColumns, releaseColumns, resolveColumns, sealColumns, sharedIdColumns } from './parameters';
import { changesPage, changesValues, listPage, listValues, pickRecords, statisticsFrom } from './reading';
import { readRecord } from './rows';
import { checkSettings } from './settings';
import { statements } from './statements.generated';
import { fromStorable, toStorable } from './text';
import { wavesOf } from './waves';

type Statement = keyof typeof statements;

/**
 * Tries of a seal whose key came into being at that very moment, and of a claim whose record is over.
 * One more of them needs another caller in between each time.
 */
const RACES = 10;

/**
 * The ledger in PostgreSQL. Every command is one statement that decides by itself, on the server's
 * clock, with the row locked: sql/*.sql restate the specification and are tested against it cell by
 * cell. Connects at the first command.
 */
export class PostgresStore implements LedgerStore {
	readonly kind = 'postgres';
	private readonly connection: PostgresConnection;
	private readonly names: Names;
	/** Set while, and after, the tables are looked at; again after they turned out to be missing. */
	private opened: Promise<void> | null = null;

	/** @throws LedgerError INVALID_SETTINGS */
	constructor(private readonly settings: PostgresSettings) {
		checkSettings(settings);
		this.names = namesOf(settings);
		this.connection = new PostgresConnection(settings);
	}

	async claim(commands: ClaimCommand[]): Promise<Array<Answer<ClaimOutcome>>> {
		return this.inWaves(commands, (wave) => this.claimWave(wave));
	}

	async seal(commands: SealCommand[]): Promise<Array<Answer<SealOutcome>>> {
		const answers = await this.inWaves(commands, (wave) => this.sealWave(wave));
		return this.lookSideways(commands, answers);
	}

	async extend(commands: ExtendCommand[]): Promise<Array<Answer<ExtendOutcome>>> {
		return this.inWaves(commands, async (wave) =>
			byKey<ExtendOutcome>(await this.command('extending', 'extend', extendColumns(wave))),
		);
	}

	async release(commands: ReleaseCommand[]): Promise<Array<Answer<ReleaseOutcome>>> {
		return this.inWaves(commands, async (wave) =>
			byKey<ReleaseOutcome>(await this.command('releasing', 'release', releaseColumns(wave))),
		);
	}

	async resolve(commands: ResolveCommand[]): Promise<Array<Answer<ResolveOutcome>>> {
		return this.inWaves(commands, async (wave) =>
			byKey<ResolveOutcome>(await this.command('resolving', 'resolve', resolveColumns(wave))),
		);
	}

	async expire({ limit, graceMs, operation, scope }: ExpireCommand): Promise<LedgerRecord[]> {
		checkLimit(limit);
		const filters = [toStorable(operation ?? null), toStorable(scope ?? null)];
		const values = [limit, Math.ceil(checkDelay('The grace period', graceMs)), ...filters];
		const rows = await this.command('expiring leases', 'expire', values);
		return rows.map(({ record }) => readRecord(String(record)));
	}

	async changes(query: ChangesQuery): Promise<ChangesPage> {
		const values = changesValues(query);
		// In this order: see sql/settled.sql.
		const [{ settled }] = await this.run('reading changes', 'settled', [this.names.schema, this.names.records]);
		return changesPage(query, Number(settled), await this.run('reading changes', 'changes', values));
	}

	async get(keys: string[]): ReturnType<LedgerStore['get']> {
		return pickRecords(keys, await this.run('reading records', 'get', [keys.map((key) => toStorable(key))]));
	}

	async list(query: ListQuery): Promise<ListPage> {
		return listPage(query, await this.run('listing records', 'list', listValues(query)));
	}

	async statistics(): Promise<Statistics> {
		return statisticsFrom(await this.run('counting records', 'statistics', []));
	}

	async purge(limit: number): Promise<number> {
		const [{ removed }] = await this.run('purging', 'purge', [limit]);
		return Number(removed);
	}

	async inspect(): Promise<StoreReport> {
		return inspectLedger(this.connection, this.names, this.settings);
	}

	async close(): Promise<void> {
		await this.connection.close();
	}

	private async claimWave(wave: ClaimCommand[]): Promise<Array<[string, Answer<ClaimOutcome>]>> {
		const answers: Array<[string, Answer<ClaimOutcome>]> = [];
		let left = wave;
		for (let tries = 0; left.length > 0; tries++) {
			if (tries === RACES) throw new LedgerError('BUSY', 'A key was claimed and ran out time and again while it was being claimed');
			const over = new Set<string>();
			for (const row of await this.command('claiming', 'claim', claimColumns(left))) {
				const answer = claimAnswer(row);
				if ('over' in answer) over.add(answer.over);
				else answers.push([String(answer.record?.key), answer]);
			}
			left = left.filter(({ key }) => over.has(key));
			if (left.length > 0) await this.command('forgetting', 'forget', [left.map(({ key }) => toStorable(key))]);
		}
		return answers;
	}

	private async sealWave(wave: SealCommand[]): Promise<Array<[string, Answer<SealOutcome>]>> {
		const answers: Array<[string, Answer<SealOutcome>]> = [];
		let left = wave;
		for (let tries = 0; left.length > 0; tries++) {
			if (tries === RACES) throw new LedgerError('BUSY', 'A key was claimed and given back time and again while it was being sealed');
			const rows = await this.command('sealing', 'seal', sealColumns(left));
			const raced = new Set(rows.filter(({ outcome }) => outcome === 'raced').map(({ key }) => key));
			answers.push(...byKey<SealOutcome>(rows.filter(({ key }) => !raced.has(key))));
			left = left.filter(({ key }) => raced.has(toStorable(key)));
		}
		return answers;
	}

	/** Second step of a success with an external ID: does another key have it? See sql/note-shared-external-id.sql. */
	private async lookSideways(
		commands: SealCommand[],
		answers: Array<Answer<SealOutcome>>,
	): Promise<Array<Answer<SealOutcome>>> {
		const looking = commands.flatMap((command, place) => {
			const { outcome, record, at } = answers[place];
			const succeeded = outcome === 'sealed' && record?.state === 'succeeded' && record.externalId !== null;
			const looks = succeeded && command.word === 'success' && command.externalIdIsUnique;
			return looks ? [{ key: command.key, executionId: command.executionId, at, place }] : [];
		});
		const looked = [...answers];
		for (const wave of wavesOf(looking)) {
			const rows = await this.command('looking for the external ID', 'noteSharedExternalId', sharedIdColumns(wave.map(({ command }) => command)));
			const found = new Map(rows.map(({ record }) => readRecord(String(record))).map((record) => [record.key, record]));
			for (const { command: { key, place } } of wave) {
				const record = found.get(key);
				if (record) looked[place] = { ...looked[place], record, detail: 'anomaly' };
			}
		}
		return looked;
	}

	/** Answers in the order of the commands, whatever statements they took. */
	private async inWaves<Command extends { key: string }, Outcome extends string>(
		commands: Command[],
		answer: (wave: Command[]) => Promise<Array<[string, Answer<Outcome>]>>,
	): Promise<Array<Answer<Outcome>>> {
		await this.open();
		const answers = new Array<Answer<Outcome>>(commands.length);
		for (const wave of wavesOf(commands)) {
			const found = new Map(await answer(wave.map(({ command }) => command)));
			for (const { command, place } of wave) {
				const one = found.get(command.key);
				if (one === undefined) throw new LedgerError('UNREADABLE_RECORD', 'PostgreSQL gave no answer for one of the keys');
				answers[place] = one;
			}
		}
		return answers;
	}

	/** A statement that writes: it waits for locks a little less long than we wait for it. */
	private command(doing: string, statement: Statement, values: unknown[]): Promise<Row[]> {
		return this.run(doing, statement, [...values, Math.ceil(this.settings.commandTimeoutMs * 0.9)]);
	}

	private async run(doing: string, statement: Statement, values: unknown[]): Promise<Row[]> {
		await this.open();
		try {
			return await this.connection.run(doing, this.names.fill(statements[statement]), values);
		} catch (error) {
			// Somebody dropped them: the next command looks again, and may create them.
			if (isLedgerError(error) && error.code === 'TABLES_MISSING') this.opened = null;
			throw passedOn(error);
		}
	}

	/** Once for all commands; a failure isn't kept, so that the next command tries again. */
	private open(): Promise<void> {
		this.opened ??= openLedger(this.connection, this.names, this.settings.createTables).catch((error: unknown) => {
			this.opened = null;
			throw passedOn(error);
		});
		return this.opened;
	}
}

/** For a catch clause: the error is ours already. */
const passedOn = (error: unknown): unknown => error;

function byKey<Outcome extends string>(rows: Row[]): Array<[string, Answer<Outcome>]> {
	return rows.map((row) => [fromStorable(String(row.key)), commandAnswer<Outcome>(row)]);
}
