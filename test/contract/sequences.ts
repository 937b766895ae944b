import fc from 'fast-check';

import type { ClaimCommand } from '../../ledger/core/commands';
import { changesOf, FEEDS } from '../../ledger/core/feed';
import { pageOf } from '../../ledger/core/listing';
import type { LedgerRecord } from '../../ledger/core/record';
import { OUTCOME_WORDS } from '../../ledger/core/states';
import { statisticsOf } from '../../ledger/core/statistics';
import { decideExpire, present } from '../../ledger/core/transitions';
import { MemoryStore } from '../../ledger/stores/memory/MemoryStore';
import { HOUR, SECOND, aClaim, aDecision, aRelease, aSeal, aged, anExtend, nextSerial } from '../support/builders';
import type { Subject } from '../support/subject';
import type { Commands, Method } from './cells/variants';
import { usingLedger } from './ledger';
import type { TestLedger } from './ledger';
import { differences, recordDifferences, run } from './specified';

/** Sequences per run of the suite, and the seed to repeat one that failed. */
const RUNS = Number(process.env.LEDGER_TEST_SEQUENCES ?? 25);
const SEED = process.env.LEDGER_TEST_SEED ? Number(process.env.LEDGER_TEST_SEED) : undefined;

const KEYS = 2;
const ACTORS = 3;
const which = (count: number) => fc.nat({ max: count - 1 });
const some = fc.boolean();
const policy = fc.constantFrom('review' as const, 'take_over' as const);
const externalId = fc.constantFrom(null, 'id-1', 'id-2');

/** What somebody does next. Tokens and revisions follow from what they have seen when it's their turn. */
const step = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant('claim' as const), key: which(KEYS), actor: which(ACTORS), again: some, policy, printed: fc.constantFrom(null, 'v1:one', 'v1:one', 'v1:two'), ephemeral: fc.nat({ max: 9 }) }) },
	{ weight: 8, arbitrary: fc.record({ kind: fc.constant('seal' as const), key: which(KEYS), actor: which(ACTORS), word: fc.constantFrom(...OUTCOME_WORDS, 'success' as const), externalId, rerun: fc.nat({ max: 4 }), delay: fc.constantFrom(0, HOUR), deadline: fc.constantFrom(null, null, 7_200) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('extend' as const), key: which(KEYS), actor: which(ACTORS), extendMs: fc.constantFrom(SECOND, 3 * HOUR) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), key: which(KEYS), actor: which(ACTORS), rerun: fc.nat({ max: 4 }) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('resolve' as const), key: which(KEYS), decision: fc.constantFrom('succeeded' as const, 'retry' as const, 'failed' as const), force: some, stale: fc.nat({ max: 4 }), externalId, accept: some }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), key: which(KEYS), ms: fc.constantFrom(30 * 60 * SECOND, 2 * HOUR, 60 * 24 * HOUR) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('purge' as const) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('expire' as const), graceMs: fc.constantFrom(0, HOUR) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A ledger by the specification beside the one under test, stopped at the moment the other one decided. */
class Twins {
	private now = 0;
	private readonly model = new Map<string, LedgerRecord>();
	private readonly specified = new MemoryStore(this.model, () => this.now);
	private readonly lastClaims = new Map<string, { command: ClaimCommand; attempt: number }>();
	private readonly run = nextSerial();
	readonly operation = `sequence-${this.run}`;

	constructor(private readonly ledger: TestLedger) {}

	private readonly keyOf = (key: number) => `${this.operation}:${key}`;
	private readonly idOf = (id: string | null) => id && `${this.operation}-${id}`;

	async take(step: Step): Promise<void> {
		switch (step.kind) {
			case 'claim':
				return await this.claim(step);
			case 'seal':
			case 'extend':
			case 'release': {
				const held = this.lastClaims.get(`${step.actor} ${step.key}`);
				// Somebody who never claimed has nothing to show.
				if (held === undefined) return;
				const { command, attempt } = held;
				if (step.kind === 'extend') return await this.command('extend', anExtend(command, { attempt, extendMs: step.extendMs }));
				const rerun = step.rerun === 0;
				if (step.kind === 'release') return await this.command('release', aRelease(command, { attempt, rerun }));
				const { word, externalId, delay, deadline } = step;
				const ids = this.idOf(externalId);
				return await this.command('seal', aSeal(command, word, { attempt, rerun, externalId: ids, result: word === 'success' ? { by: step.actor } : null, retryDelayMs: delay, deadlineSeconds: deadline }));
			}
			case 'resolve': {
				const seen = this.model.get(this.keyOf(step.key));
				if (seen === undefined) return;
				const looked = { ...seen, revision: seen.revision - (step.stale === 0 ? 1 : 0) };
				const { decision, force, externalId, accept } = step;
				return await this.command('resolve', aDecision(looked, decision, { force, externalId: this.idOf(decision === 'succeeded' ? externalId : null), acceptChangedPayload: accept }));
			}
			case 'pass':
				return await this.pass(this.keyOf(step.key), step.ms);
			case 'purge':
				return void (await this.ledger.store.purge(100));
			case 'expire':
				return await this.expire(step.graceMs);
		}
	}

	private async claim(step: Step & { kind: 'claim' }): Promise<void> {
		const place = `${step.actor} ${step.key}`;
		const key = this.keyOf(step.key);
		const last = this.lastClaims.get(place)?.command;
		const fresh = aClaim({ key, operation: this.operation, leaseMs: HOUR, maxAttempts: 3, retentionSeconds: 30 * 24 * 3600, ephemeral: step.ephemeral === 0 });
		const fields = { policy: step.policy, fingerprint: step.printed, fingerprintFields: step.printed && '["amount"]' };
		const command = { ...(step.again && last ? last : fresh), ...fields };
		const before = this.model.get(key);
		await this.command('claim', command);
		const after = this.model.get(key);
		const mine = after?.token === command.token && after !== before;
		if (mine || last === undefined) this.lastClaims.set(place, { command, attempt: mine ? after.attempt : 1 });
	}

	private async expire(graceMs: number): Promise<void> {
		const moved = new Map((await this.ledger.store.expire({ limit: 100, graceMs, operation: this.operation })).map((record) => [record.key, record]));
		const now = await this.ledger.now();
		for (const [key, before] of this.model) {
			const got = moved.get(key);
			const specified = decideExpire(before, { graceMs }, got?.updatedAt ?? now);
			if (specified.outcome !== (got ? 'expired' : 'kept')) throw new Error(`expire: specified ${specified.outcome}`);
			if (got) report('expired record', recordDifferences(specified.record, got));
			if (specified.record) this.model.set(key, specified.record);
		}
	}

	private async pass(key: string, ms: number): Promise<void> {
		const record = this.model.get(key);
		if (record === undefined) return;
		this.model.set(key, aged(record, ms));
		await this.ledger.put(aged(record, ms));
	}

	private async command<Name extends Method>(method: Name, command: Commands[Name]): Promise<void> {
		const [got] = await run(this.ledger.store, method, [command]);
		this.now = got.at;
		const [specified] = await run(this.specified, method, [command]);
		report(method, differences(specified, got));
		report('stored record', recordDifferences(specified.record, await this.ledger.read(command.key)));
	}

	/** Lists and counts of both. */
	async compareReads(): Promise<void> {
		const page = await this.ledger.store.list({ operation: this.operation, limit: 100 });
		const living = [...this.model.values()].filter((record) => present(record, page.at) !== null);
		expect(page).toEqual(pageOf(living, { limit: 100 }, page.at));
		for (const feed of FEEDS) {
			const told = await this.ledger.store.changes({ feed, operation: this.operation, after: null, limit: 100 });
			expect(told.records).toEqual(changesOf([...this.model.values()], { feed, after: null, limit: 100 }, told.at).records);
		}
		const { operations, at } = await this.ledger.store.statistics();
		const alive = [...this.model.values()].filter((record) => present(record, at) !== null);
		const own = operations.filter(({ operation }) => operation === this.operation);
		expect(own).toEqual(statisticsOf(alive, at).operations);
	}
}

function report(what: string, lines: string[]): void {
	if (lines.length > 0) throw new Error(`${what} differs from the specification:\n  ${lines.join('\n  ')}`);
}

/** Whatever several actors do in whatever order: every answer and every record is as specified. */
export function describeRandomSequences(subject: Subject): void {
	describe('random sequences', () => {
		const ledger = usingLedger(subject);

		it('of commands by several actors, with time passing, go as specified', async () => {
			await fc.assert(
				fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
					const twins = new Twins(ledger);
					for (const one of steps) await twins.take(one);
					await twins.compareReads();
				}),
				{ numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }), verbose: 1 },
			);
		}, 180_000);
	});
}
