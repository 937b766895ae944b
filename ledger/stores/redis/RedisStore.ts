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
import { checkDelay } from '../../core/feed';
import type { ChangesPage, ChangesQuery } from '../../core/feed';
import { checkLimit } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import type { RedisSettings } from '../../core/settings';
import type { LedgerStore, ListPage, ListQuery, Statistics, StoreReport } from '../../core/store';
import { answerOf } from './answers';
import { scriptCall } from './call';
import type { Call, ScriptName } from './call';
import { checkSettings } from './clientOptions';
import { lookSideways, registration } from './externalIds';
import { expireRecords, readChanges } from './feeding';
import { inspectServer } from './inspectServer';
import { listRecords } from './listRecords';
import { purgeRecords } from './purgeRecords';
import { readRecords } from './records';
import { RedisConnection } from './RedisConnection';
import {
	claimArguments,
	extendArguments,
	releaseArguments,
	resolveArguments,
	sealArguments,
} from './scriptArguments';
import type { ScriptArguments } from './scriptArguments';
import { countRecords } from './statistics';

/**
 * The ledger in Redis or Valkey (6.2 or newer): one Lua script per step, on the server's clock, which
 * restates the specification. Keys and indexes: keys.ts; fields of a record: recordFields.ts.
 */
export class RedisStore implements LedgerStore {
	readonly kind = 'redis';
	private readonly connection: RedisConnection;

	/** Connects at the first command. @throws LedgerError INVALID_SETTINGS */
	constructor(settings: RedisSettings) {
		checkSettings(settings);
		this.connection = new RedisConnection(settings);
	}

	async claim(commands: ClaimCommand[]): Promise<Array<Answer<ClaimOutcome>>> {
		return await this.run('claim', commands, claimArguments);
	}

	async seal(commands: SealCommand[]): Promise<Array<Answer<SealOutcome>>> {
		const successes = commands.filter(({ word }) => word === 'success');
		const answers = await this.run<SealCommand, SealOutcome>('seal', commands, sealArguments, this.registered(successes));
		return await lookSideways(this.connection, answers, commands);
	}

	async extend(commands: ExtendCommand[]): Promise<Array<Answer<ExtendOutcome>>> {
		return await this.run('extend', commands, extendArguments);
	}

	async release(commands: ReleaseCommand[]): Promise<Array<Answer<ReleaseOutcome>>> {
		return await this.run('release', commands, releaseArguments);
	}

	async resolve(commands: ResolveCommand[]): Promise<Array<Answer<ResolveOutcome>>> {
		return await this.run('resolve', commands, resolveArguments, this.registered(commands));
	}

	async expire(command: ExpireCommand): Promise<LedgerRecord[]> {
		checkLimit(command.limit);
		checkDelay('The grace period', command.graceMs);
		return await expireRecords(this.connection, command);
	}

	async changes(query: ChangesQuery): Promise<ChangesPage> {
		checkLimit(query.limit);
		return await readChanges(this.connection, query);
	}

	async get(keys: string[]) {
		return await readRecords(this.connection, keys);
	}

	async list(query: ListQuery): Promise<ListPage> {
		return await listRecords(this.connection, query);
	}

	async statistics(): Promise<Statistics> {
		return await countRecords(this.connection);
	}

	async purge(limit: number): Promise<number> {
		return await purgeRecords(this.connection, limit);
	}

	async inspect(): Promise<StoreReport> {
		return await inspectServer(this.connection);
	}

	async close(): Promise<void> {
		await this.connection.close();
	}

	private async run<Command extends { key: string }, Outcome extends string>(
		script: ScriptName,
		commands: Command[],
		args: (command: Command) => ScriptArguments,
		first: Call[] = [],
	): Promise<Array<Answer<Outcome>>> {
		const { keys } = this.connection;
		const calls = commands.map((command) =>
			scriptCall(script, [keys.record(command.key), keys.indexOf(command.key)], args(command)),
		);
		return (await this.connection.write(calls, first)).map((reply) => answerOf<Outcome>(reply));
	}

	private registered(commands: Array<{ key: string; externalId: string | null }>): Call[] {
		return commands.flatMap(({ key, externalId }) =>
			externalId === null ? [] : [registration(this.connection, externalId, key)],
		);
	}
}
