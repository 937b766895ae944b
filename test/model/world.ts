import type { Answer, ClaimCommand, ExtendCommand, ReleaseCommand, ResolveCommand, SealCommand } from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import type { ExpiredLeasePolicy } from '../../ledger/core/states';
import { decideClaim, decideExpire, decideExtend, decideRelease, decideResolve, decideSeal } from '../../ledger/core/transitions';

/** The rules under test. A mutant replaces one of them. */
export interface Rules {
	claim(record: LedgerRecord | null, command: ClaimCommand, now: number): Answer<string>;
	seal(record: LedgerRecord | null, command: SealCommand, now: number): Answer<string>;
	extend(record: LedgerRecord | null, command: ExtendCommand, now: number): Answer<string>;
	release(record: LedgerRecord | null, command: ReleaseCommand, now: number): Answer<string>;
	resolve(record: LedgerRecord | null, command: ResolveCommand, now: number): Answer<string>;
	expire(record: LedgerRecord | null, command: { graceMs: number }, now: number): Answer<string>;
}

export const SPECIFICATION: Rules = {
	claim: decideClaim,
	seal: decideSeal,
	extend: decideExtend,
	release: decideRelease,
	resolve: decideResolve,
	expire: decideExpire,
};

/**
 * Time is three moments: what is over, now, and later. A step of the world, not a clock, turns later
 * into over, at any moment; so every pause of any length is some path.
 */
export const OVER = 500;
export const NOW = 1_000;
export const LATER = 2_000;

/** One execution with its delivery of the order; a redelivery is the next execution in the same place. */
export interface Worker {
	phase:
		| 'idle' /* will claim */
		| 'asking' /* claimed, the answer was lost: will claim again under the same token */
		| 'holding' /* released to Claimed */
		| 'ran' /* the effect was called; has a word to say */
		| 'told' /* sealed */
		| 'over'; /* turned away, finished or crashed */
	delivery: number;
	attempt: number;
	/** believes that its lease is alive, and would be right by the ledger's clock */
	alive: boolean;
	/** what happened at the destination: the ID it gave, or null */
	effect: string | null;
	knows: 'success' | 'failure' | 'unknown' | null;
	rerun: boolean;
	/** may say its word once more, or another one */
	again: boolean;
}

/**
 * What an onlooker knows of an attempt that was granted and isn't known to have failed.
 * `open`: nothing was told · `honoured`: unknown, but the destination honours the key.
 * `excused`: a person decided after that; from then on it's their responsibility, until news comes.
 */
export interface Attempt {
	/** token and attempt */
	id: string;
	policy: ExpiredLeasePolicy;
	status: 'open' | 'honoured' | 'unknown' | 'success';
	excused: boolean;
	/** external IDs told with a success, since the last decision */
	ids: string[];
}

/** What the person who is about to decide has seen. */
export interface View {
	token: string;
	/** the record changed since (counters apart) */
	outdated: boolean;
	/** whether the revision number looks the same; a record made anew may happen to have it */
	sameRevision: boolean;
}

export interface World {
	record: LedgerRecord | null;
	workers: Worker[];
	attempts: Attempt[];
	view: View | null;
	/** effects that somebody allowed, less those that happened */
	slack: number;
	/** effects that happened */
	effects: number;
	/** how often each of these may still happen */
	decisions: number;
	retries: number;
	strays: number;
	expiries: number;
}

/** What may happen in a world, and how often. */
export interface Setting {
	name: string;
	workers: Array<{ policy: ExpiredLeasePolicy; deliveries: number; fingerprint?: string }>;
	maxAttempts: number;
	decisions: number;
	force?: boolean;
	/** presses of n8n's Retry button */
	retries?: number;
	/** copies of claims that arrive late, with nobody waiting for the answer */
	strays?: number;
	/** times that a final record is forgotten */
	expiries?: number;
	/** words that contradict an earlier one of the same attempt (one item failed, another succeeded) */
	contradictions?: boolean;
	/** somebody looks for leases that ran out, at any moment (the trigger's polls) */
	sweeps?: boolean;
	/** nobody may take over: effects are counted against what was allowed */
	counted?: boolean;
}

export function beginning(setting: Setting): World {
	const worker: Worker = { phase: 'idle', delivery: 1, attempt: 0, alive: false, effect: null, knows: null, rerun: false, again: false };
	return {
		record: null,
		workers: setting.workers.map(() => worker),
		attempts: [],
		view: null,
		slack: 1,
		effects: 0,
		decisions: setting.decisions,
		retries: setting.retries ?? 0,
		strays: setting.strays ?? 0,
		expiries: setting.expiries ?? 0,
	};
}

export const tokenOf = (place: number, worker: Worker) => `${place}.${worker.delivery}`;
export const attemptOf = (token: string, attempt: number) => `${token}/${attempt}`;

const NO_COUNTERS = { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 };
const moment = (time: number | null) => (time === null ? null : time > NOW ? LATER : OVER);

/** The record without what no rule reads, so that worlds that go on alike are one. */
export function essence(record: LedgerRecord | null): LedgerRecord | null {
	if (record === null) return null;
	return {
		...record,
		revision: 100,
		leaseExpiresAt: moment(record.leaseExpiresAt),
		retryAt: moment(record.retryAt),
		deadlineAt: null,
		lateSuccesses: record.lateSuccesses.map((late) => ({ ...late, at: OVER })),
		anomalies: record.anomalies.map((anomaly) => ({ ...anomaly, at: OVER })),
		decidedBy: record.decidedBy && { ...record.decidedBy, at: OVER },
		lastError: null,
		counters: NO_COUNTERS,
		createdAt: OVER,
		updatedAt: OVER,
		completedAt: null,
		expiresAt: record.expiresAt === null ? null : LATER,
		history: [],
	};
}

/** Two worlds of the same text have the same future. */
export function textOf({ record, workers, attempts, view, ...budget }: World): string {
	const kept = record && [
		record.state, record.reason, record.token, record.attempt, record.maxAttempts, record.policy, record.fingerprint,
		record.leaseExpiresAt, record.retryAt, record.externalId, record.unknownEarlier, record.sealedWord,
		record.decidedBy?.decision, record.expiresAt,
		record.lateSuccesses.map(({ attempt, externalId }) => [attempt, externalId]),
		record.anomalies.map(({ externalId }) => externalId),
	];
	return JSON.stringify([
		kept,
		workers.map((worker) => Object.values(worker)),
		attempts.map((attempt) => Object.values(attempt)),
		view && Object.values(view),
		Object.values(budget),
	]);
}
