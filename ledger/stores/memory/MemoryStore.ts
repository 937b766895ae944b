import type {
	Answer,
	ClaimCommand,
	ExpireCommand,
	ExtendCommand,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../core/commands';
import { LedgerError } from '../../core/errors';
import { byFeedPosition, changesOf, checkDelay, inFilter, positionOf } from '../../core/feed';
import type { ChangesQuery } from '../../core/feed';
import { checkLimit, pageOf } from '../../core/listing';
import type { LedgerRecord } from '../../core/record';
import { statisticsOf } from '../../core/statistics';
import type { LedgerStore, ListQuery } from '../../core/store';
import {
	decideClaim,
	decideExpire,
	decideExtend,
	decideRelease,
	decideResolve,
	decideSeal,
	noteSharedExternalId,
	present,
} from '../../core/transitions';

/**
 * The specification with a map behind it. For tests only: it forgets everything with the process,
 * so the credential doesn't offer it.
 */
export class MemoryStore implements LedgerStore {
	readonly kind = 'memory';
	private closed = false;

	constructor(
		/** the records by key; tests may look inside */
		readonly records = new Map<string, LedgerRecord>(),
		private readonly clock: () => number = Date.now,
	) {}

	async claim(commands: ClaimCommand[]) {
		return this.apply(commands, decideClaim);
	}

	async seal(commands: SealCommand[]) {
		const answers = this.apply(commands, decideSeal);
		return answers.map((answer, index) => this.lookSideways(answer, commands[index]));
	}

	async extend(commands: ExtendCommand[]) {
		return this.apply(commands, decideExtend);
	}

	async release(commands: ReleaseCommand[]) {
		return this.apply(commands, decideRelease);
	}

	async resolve(commands: ResolveCommand[]) {
		return this.apply(commands, decideResolve);
	}

	async expire({ limit, graceMs, ...filter }: ExpireCommand) {
		checkLimit(limit);
		checkDelay('The grace period', graceMs);
		const at = this.now();
		const moved = [...this.records.values()]
			.filter((record) => inFilter(record, filter))
			.sort((a, b) => byFeedPosition(positionOf(a), positionOf(b)))
			.map((record) => decideExpire(record, { graceMs }, at))
			.flatMap(({ outcome, record }) => (outcome === 'expired' && record ? [record] : []))
			.slice(0, limit);
		for (const record of moved) this.records.set(record.key, record);
		return moved;
	}

	async changes(query: ChangesQuery) {
		checkLimit(query.limit);
		const at = this.now();
		return changesOf([...this.records.values()], query, at);
	}

	async get(keys: string[]) {
		const at = this.now();
		return { records: keys.map((key) => present(this.records.get(key) ?? null, at)), at };
	}

	async list(query: ListQuery) {
		const at = this.now();
		return pageOf(this.living(at), query, at);
	}

	async statistics() {
		const at = this.now();
		return statisticsOf(this.living(at), at);
	}

	async purge(limit: number) {
		const at = this.now();
		const over = [...this.records.values()].filter((record) => present(record, at) === null).slice(0, limit);
		for (const { key } of over) this.records.delete(key);
		return over.length;
	}

	async inspect() {
		return { server: 'Memory', findings: [{ level: 'warning' as const, text: 'Forgets everything when the process ends' }] };
	}

	async close() {
		this.closed = true;
	}

	private now(): number {
		if (this.closed) throw new LedgerError('CLOSED', 'The ledger was closed');
		return this.clock();
	}

	private living(at: number): LedgerRecord[] {
		return [...this.records.values()].filter((record) => present(record, at) !== null);
	}

	private apply<Command extends { key: string }, Outcome extends string>(
		commands: Command[],
		decide: (record: LedgerRecord | null, command: Command, now: number) => Answer<Outcome>,
	): Array<Answer<Outcome>> {
		const now = this.now();
		return commands.map((command) => {
			const answer = decide(this.records.get(command.key) ?? null, command, now);
			if (answer.record === null) this.records.delete(command.key);
			else this.records.set(command.key, answer.record);
			return answer;
		});
	}

	private lookSideways<Outcome extends string>(answer: Answer<Outcome>, command: SealCommand): Answer<Outcome> {
		const { record } = answer;
		if (!command.externalIdIsUnique || command.word !== 'success' || record?.state !== 'succeeded') return answer;
		if (record.externalId === null || answer.outcome !== 'sealed') return answer;
		const other = this.living(answer.at)
			.filter((one) => one.operation === record.operation && one.externalId === record.externalId)
			.map((one) => one.key)
			.filter((key) => key !== record.key)
			.sort()[0];
		if (other === undefined) return answer;
		const note = (on: LedgerRecord) => noteSharedExternalId(on, other, command.executionId, answer.at);
		// On what is stored now: a later command of the same batch may have changed the record again.
		const stored = this.records.get(record.key);
		if (stored) this.records.set(record.key, note(stored));
		return { ...answer, record: note(record), detail: 'anomaly' };
	}
}
