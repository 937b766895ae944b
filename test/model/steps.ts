import type { Answer, ClaimCommand, SealCommand } from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import type { OutcomeWord } from '../../ledger/core/states';
import { checkClaim, checkKept, checkNoKnownSuccess, checkResolve, checkStale, checkSweep } from './invariants';
import { LATER, NOW, OVER, attemptOf, essence, tokenOf } from './world';
import type { Attempt, Rules, Setting, Worker, World } from './world';

export interface Step {
	label: string;
	next: () => World;
}

/** Every step that can happen next, each made only when asked for; a step that breaks a guarantee throws. */
export function stepsFrom(world: World, setting: Setting, rules: Rules): Step[] {
	const model = new Steps(world, setting, rules);
	world.workers.forEach((worker, place) => model.worker(worker, place));
	model.person();
	model.time();
	return model.found;
}

const PARTS = { key: 'k', operation: 'o', businessId: 'b', scope: null, version: null };
const NOBODY = { instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: null };
const FRESH: Omit<Attempt, 'id'> = { policy: 'review', status: 'open', excused: false, ids: [] };
const OUT: Partial<Worker> = { phase: 'over', alive: false, effect: null, knows: null, rerun: false, again: false };

class Steps {
	readonly found: Step[] = [];

	constructor(
		private readonly world: World,
		private readonly setting: Setting,
		private readonly rules: Rules,
	) {}

	private add(label: string, next: () => World): void {
		this.found.push({ label, next });
	}

	worker(worker: Worker, place: number): void {
		const who = `worker ${tokenOf(place, worker)}`;
		const becomes = (changes: Partial<Worker>, more: Partial<World> = {}) => this.with(place, changes, more);
		const { phase, effect } = worker;

		if (phase === 'asking' || (phase === 'idle' && this.isNext(worker, place))) {
			this.add(`${who} claims`, () => this.claim(place, 'answered'));
			this.add(`${who} claims, the answer is lost`, () => this.claim(place, 'lost'));
		}
		if (phase === 'asking' || phase === 'holding' || phase === 'ran') this.add(`${who} crashes`, () => becomes(OUT));
		if (phase === 'over' && worker.delivery < this.setting.workers[place].deliveries) {
			this.add(`worker ${place} gets the order again`, () => becomes({ ...OUT, phase: 'idle', delivery: worker.delivery + 1 }));
		}
		if (phase !== 'idle' && phase !== 'over' && this.world.strays > 0) {
			this.add(`an old copy of the claim of ${who} arrives`, () => this.claim(place, 'stray'));
		}
		if (phase === 'holding') {
			const effects = this.world.effects + 1;
			const done = { effects, slack: this.world.slack - 1 };
			const ran = { phase: 'ran', again: true } as const;
			this.add(`${who} runs the effect and knows it`, () => becomes({ ...ran, effect: `id${effects}`, knows: 'success' }, done));
			this.add(`${who} runs the effect, the answer is lost`, () => becomes({ ...ran, effect: `id${effects}`, knows: 'unknown' }, done));
			this.add(`${who} calls the effect, which refuses`, () => becomes({ ...ran, knows: 'failure' }));
			this.add(`${who} calls the effect, which never gets the call`, () => becomes({ ...ran, knows: 'unknown' }));
			this.add(`${who} extends`, () => this.extend(place));
			this.add(`${who} releases`, () => this.release(place));
		}
		if (phase === 'ran') {
			for (const word of this.words(worker)) {
				this.add(`${who} seals ${word}`, () => this.seal(place, word, true));
				if (worker.again) this.add(`${who} seals ${word}, the answer is lost`, () => this.seal(place, word, false));
			}
			if (worker.rerun) this.add(`${who} releases from the Retry`, () => this.release(place));
			if (this.world.retries > 0 && worker.knows !== 'success') {
				const effects = this.world.effects + 1;
				const retries = this.world.retries - 1;
				// Whoever presses Retry allows one more effect by that.
				const pressed = { retries, slack: this.world.slack + 1 };
				this.add(`somebody presses Retry on ${who}: the call is refused`, () => becomes({ rerun: true, knows: 'failure' }, pressed));
				this.add(`somebody presses Retry on ${who}: the effect runs`, () =>
					becomes({ rerun: true, knows: 'success', effect: `id${effects}` }, { retries, effects }),
				);
			}
		}
		if (phase === 'told' && worker.again) {
			if (worker.knows === 'unknown') {
				this.add(`${who} learns what happened`, () => becomes({ phase: 'ran', again: false, knows: effect ? 'success' : 'failure' }));
			} else if (worker.knows === 'failure' && this.setting.contradictions) {
				const effects = this.world.effects + 1;
				this.add(`${who} had a second item that succeeded`, () => becomes({ phase: 'ran', again: false, knows: 'success', effect: `id${effects}` }, { effects }));
				this.add(`${who} had a second item that timed out`, () => becomes({ phase: 'ran', again: false, knows: 'unknown' }));
			}
		}
	}

	/** Workers that are alike come in the order of their places: any other order is the same story. */
	private isNext(worker: Worker, place: number): boolean {
		const alike = (other: number) => JSON.stringify(this.setting.workers[other]) === JSON.stringify(this.setting.workers[place]);
		const waiting = (other: Worker) => other.phase === 'idle' && other.delivery === 1;
		return !waiting(worker) || !this.world.workers.slice(0, place).some((other, index) => waiting(other) && alike(index));
	}

	person(): void {
		const { record, view, decisions } = this.world;
		if (decisions === 0) return;
		if (view === null) {
			if (record) this.add('a person looks', () => ({ ...this.world, view: { token: record.token, outdated: false, sameRevision: true } }));
			return;
		}
		for (const decision of ['succeeded', 'retry', 'failed'] as const) {
			this.add(`the person decides ${decision}`, () => this.resolve(decision, false));
			if (this.setting.force) this.add(`the person forces ${decision}`, () => this.resolve(decision, true));
		}
	}

	time(): void {
		const { record, expiries } = this.world;
		if (record === null) return;
		if (record.state === 'processing' && record.leaseExpiresAt === LATER) {
			this.add('the lease runs out', () => ({
				...this.world,
				record: { ...record, leaseExpiresAt: OVER },
				workers: this.world.workers.map((worker, place) => (tokenOf(place, worker) === record.token ? { ...worker, alive: false } : worker)),
			}));
		}
		if (record.state === 'processing' && this.setting.sweeps) {
			this.add('a sweep looks for leases that ran out', () => {
				const answer = this.rules.expire(record, { graceMs: 0 }, NOW);
				checkSweep(this.world, answer);
				return { ...this.world, ...this.stored(answer) };
			});
		}
		if (record.state === 'retryable_failed' && record.retryAt === LATER) {
			this.add('the retry is due', () => ({ ...this.world, record: { ...record, retryAt: OVER } }));
		}
		if (record.expiresAt !== null && expiries > 0) {
			// After retention the order is a new one, which somebody allowed by choosing that retention; and
			// nobody decides on what they looked at a retention ago.
			const attempts = this.world.attempts.map((attempt) => ({ ...attempt, excused: true, ids: [] }));
			this.add('the record is forgotten', () => ({ ...this.world, record: null, view: null, attempts, expiries: expiries - 1, slack: this.world.slack + 1 }));
		}
	}

	private words({ knows }: Worker): OutcomeWord[] {
		if (knows === 'success') return ['success'];
		return knows === 'failure' ? ['retryable', 'permanent'] : ['unknown', 'unknown_retryable'];
	}

	private with(place: number, changes: Partial<Worker>, more: Partial<World> = {}): World {
		const workers = this.world.workers.map((worker, index) => (index === place ? { ...worker, ...changes } : worker));
		return { ...this.world, ...more, workers };
	}

	/** The ledger's new record, and what that means for a person who has looked. */
	private stored(answer: Answer<string>): Pick<World, 'record' | 'view'> {
		const before = this.world.record;
		const after = answer.record;
		let { view } = this.world;
		const changed = before === null || after === null ? before !== after : after.revision !== before.revision;
		// A record made anew may have the revision that was looked at; only its token tells.
		if (view && changed) view = { ...view, outdated: true, sameRevision: before === null };
		return { record: essence(after), view };
	}

	private claim(place: number, how: 'answered' | 'lost' | 'stray'): World {
		const worker = this.world.workers[place];
		const { policy, fingerprint = 'v1:a' } = this.setting.workers[place];
		const command: ClaimCommand = {
			...PARTS, token: tokenOf(place, worker), leaseMs: LATER - NOW, policy, maxAttempts: this.setting.maxAttempts, retentionSeconds: 1,
			fingerprint, fingerprintFields: '["x"]', correlationId: null, owner: NOBODY, ephemeral: false,
		};
		const answer = this.rules.claim(this.world.record, command, NOW);
		checkClaim(this.world, command, answer);
		const before = this.world.record;
		const granted = answer.outcome === 'claimed' && !(before?.state === 'processing' && before.token === command.token);
		const attempts = granted
			? [...this.world.attempts, { ...FRESH, id: attemptOf(command.token, answer.record!.attempt), policy }]
			: this.world.attempts;
		const more = { ...this.stored(answer), attempts };
		if (how === 'stray') return { ...this.world, ...more, strays: this.world.strays - 1 };
		if (how === 'lost') return this.with(place, { phase: 'asking' }, more);
		if (answer.outcome !== 'claimed') return this.with(place, OUT, more);
		return this.with(place, { phase: 'holding', attempt: answer.record!.attempt, alive: true }, more);
	}

	private seal(place: number, word: OutcomeWord, answered: boolean): World {
		const worker = this.world.workers[place];
		const token = tokenOf(place, worker);
		const externalId = word === 'success' ? worker.effect : null;
		const command: SealCommand = {
			...PARTS, token, attempt: worker.attempt, word, result: externalId, externalId, error: null, retryDelayMs: LATER - NOW,
			deadlineSeconds: null, rerun: worker.rerun, ephemeral: false, externalIdIsUnique: true, executionId: null,
		};
		const before = this.world.record;
		const answer = this.rules.seal(before, command, NOW);
		if (before && (before.token !== token || before.attempt !== worker.attempt)) checkStale(before, answer);
		const more = { ...this.stored(answer), attempts: this.told(attemptOf(token, worker.attempt), word, worker, before) };
		// Whoever isn't answered says it again; who is may have more to say, or be another delivery next.
		const moreToSay = worker.knows === 'unknown' || (worker.knows === 'failure' && this.setting.contradictions);
		const after: Partial<Worker> = !answered ? { again: false } : worker.again && moreToSay && !worker.rerun ? { phase: 'told' } : OUT;
		// From its first word on it relies on its lease no more.
		return this.with(place, { ...after, alive: false }, more);
	}

	/** What the onlooker knows after the ledger got that word. */
	private told(id: string, word: OutcomeWord, worker: Worker, before: LedgerRecord | null): Attempt[] {
		const known = this.world.attempts.find((attempt) => attempt.id === id);
		const others = this.world.attempts.filter((attempt) => attempt.id !== id);
		const fresh: Attempt = { ...FRESH, id };
		if (word === 'success') {
			const same = known?.status === 'success' ? known : { ...(known ?? fresh), excused: false, ids: [] };
			const ids = worker.effect && !same.ids.includes(worker.effect) && !same.excused ? [...same.ids, worker.effect] : same.ids;
			return [...others, { ...same, status: 'success', ids }];
		}
		// Without a record, or after a success, nothing else is news.
		if (before === null || known?.status === 'success') return this.world.attempts;
		if (word === 'unknown' || word === 'unknown_retryable') {
			const doubtful = known?.status === 'unknown' || known?.status === 'honoured';
			const status = word === 'unknown' || known?.status === 'unknown' ? 'unknown' : 'honoured';
			return [...others, { ...(known ?? fresh), status, excused: doubtful && known.excused }];
		}
		// A failure settles only what nothing else was said of, and says nothing of the call before a Retry.
		return known?.status === 'open' && !worker.rerun ? others : this.world.attempts;
	}

	private extend(place: number): World {
		const worker = this.world.workers[place];
		const token = tokenOf(place, worker);
		const answer = this.rules.extend(this.world.record, { key: 'k', token, attempt: worker.attempt, extendMs: LATER - NOW }, NOW);
		if (answer.outcome === 'extended') checkNoKnownSuccess(this.world);
		// Whoever isn't told that the lease is longer doesn't begin the effect.
		return answer.outcome === 'extended' ? this.with(place, { alive: true }, this.stored(answer)) : this.with(place, OUT, this.stored(answer));
	}

	private release(place: number): World {
		const worker = this.world.workers[place];
		const token = tokenOf(place, worker);
		const answer = this.rules.release(this.world.record, { key: 'k', token, attempt: worker.attempt, rerun: worker.rerun, executionId: null }, NOW);
		const id = attemptOf(token, worker.attempt);
		const attempts = answer.outcome === 'released' && !worker.rerun ? this.world.attempts.filter((attempt) => attempt.id !== id) : this.world.attempts;
		return this.with(place, OUT, { ...this.stored(answer), attempts });
	}

	private resolve(decision: 'succeeded' | 'retry' | 'failed', force: boolean): World {
		const { record, view } = this.world;
		const revision = (record?.revision ?? 1) - (view!.sameRevision ? 0 : 1);
		const command = {
			key: 'k', token: view!.token, revision, decision, force, who: 'p', why: 'w', result: null, externalId: null, acceptChangedPayload: true, executionId: null,
		};
		const answer = this.rules.resolve(record, command, NOW);
		checkResolve(this.world, force, answer);
		const base = { ...this.world, record: essence(answer.record), view: null, decisions: this.world.decisions - 1 };
		if (answer.outcome !== 'resolved') return base;
		checkKept(this.world, answer.record?.history.at(-1), answer.record);
		return {
			...base,
			attempts: this.world.attempts.map((attempt) => ({ ...attempt, excused: true, ids: [] })),
			workers: this.world.workers.map((worker) => ({ ...worker, alive: false })),
			slack: this.world.slack + (decision === 'retry' ? 1 : 0),
		};
	}
}
