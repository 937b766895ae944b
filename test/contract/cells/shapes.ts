import type { Anomaly, Decision, HistoryEntry, LateSuccess, LedgerRecord } from '../../../ledger/core/record';
import { HISTORY_LIMIT, INCIDENT_LIMIT } from '../../../ledger/core/record';
import type { ExpiredLeasePolicy, SealedWord, StateReason } from '../../../ledger/core/states';
import { DAY, HOUR, aRecord } from '../../support/builders';

/** A kind of stored record. `number` makes keys, tokens and IDs of a cell its own. */
export interface Shape {
	name: string;
	build(number: number, now: number): LedgerRecord | null;
}

/** Tokens and IDs that the commands of the cell refer to. */
export const names = (number: number) => ({
	key: `cell:${number}`,
	holder: `holder-${number}`,
	stranger: `stranger-${number}`,
	earlier: `earlier-${number}`,
	externalId: `id-${number}`,
	lateId: `late-id-${number}`,
	otherId: `other-id-${number}`,
});

type Dimensions = Record<string, readonly unknown[]>;
type Point<D extends Dimensions> = { [Name in keyof D]: D[Name][number] };

/** Every combination, with a text that says which. */
function product<D extends Dimensions>(dimensions: D): Array<{ point: Point<D>; text: string }> {
	return Object.entries(dimensions).reduce<Array<{ point: Point<D>; text: string }>>(
		(combinations, [name, values]) =>
			combinations.flatMap(({ point, text }) =>
				values.map((value) => ({ point: { ...point, [name]: value }, text: `${text} ${name}=${JSON.stringify(value)}` })),
			),
		[{ point: {} as Point<D>, text: '' }],
	);
}

const POLICIES: readonly ExpiredLeasePolicy[] = ['review', 'take_over'];
const BOTH = [false, true] as const;
/** [attempt, maxAttempts] */
const ATTEMPTS = [[1, 5], [2, 5], [2, 2]] as const;

const late = (number: number, how: string, now: number): LateSuccess[] => {
	const one = { attempt: 1, externalId: how === 'without ID' ? null : names(number).lateId, at: now - HOUR };
	if (how === 'none') return [];
	return how === 'full' ? Array.from({ length: INCIDENT_LIMIT }, (_, index) => ({ ...one, attempt: index + 1 })) : [one];
};

const anomalies = (number: number, how: string, now: number): Anomaly[] => {
	const one = { kind: 'second_effect' as const, externalId: `twice-${number}`, otherKey: null, at: now - HOUR };
	if (how === 'none') return [];
	if (how === 'one') return [one];
	return Array.from({ length: INCIDENT_LIMIT }, (_, index) => ({ ...one, externalId: `twice-${number}-${index}` }));
};

const decided = (reason: StateReason | null, decision: Decision['decision'], now: number): Decision | null =>
	reason === 'decided' ? { decision, who: 'grace', why: 'asked the bank', at: now - HOUR } : null;

/** What no rule is about, different from shape to shape, so that a store that drops it is seen. */
function beside(index: number, number: number, now: number): Partial<LedgerRecord> {
	const { key, holder } = names(number);
	const entry: HistoryEntry = { at: now - DAY, from: 'processing', to: 'retryable_failed', attempt: 1, executionId: '7', note: 'retryable', kept: null };
	return {
		key,
		operation: 'cell',
		businessId: String(number),
		token: holder,
		scope: index % 3 === 0 ? 'tenant' : null,
		version: index % 4 === 0 ? '2' : null,
		revision: 3 + (index % 5),
		...(index % 2 === 0 ? { fingerprint: 'v1:stored', fingerprintFields: '["amount"]' } : {}),
		correlationId: index % 3 === 1 ? `trace-${number}` : null,
		lastError: index % 4 === 1 ? { code: 'ETIMEDOUT', httpStatus: null, message: 'too slow', at: now - HOUR } : null,
		counters: index % 3 === 2 ? { duplicates: 4, conflicts: 3, takeovers: 2, staleSeals: 1 } : { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 },
		retentionSeconds: index % 7 === 0 ? 0 : 86_400,
		history: index % 5 === 0 ? Array.from({ length: HISTORY_LIMIT }, (_, line) => ({ ...entry, attempt: line + 1 })) : [entry],
	};
}

type Build = (number: number, now: number) => Partial<LedgerRecord>;
const found: Array<{ name: string; fields: Build }> = [];
const shape = (name: string, fields: Build) => void found.push({ name, fields });

const numbers = ([attempt, maxAttempts]: readonly [number, number]) => ({ attempt, maxAttempts });

for (const { point, text } of product({
	lease: ['alive', 'over'],
	late: ['none', 'without ID', 'with ID'],
	unknownEarlier: BOTH,
	policy: POLICIES,
	attempts: ATTEMPTS,
})) {
	shape(`processing${text}`, (number, now) => ({
		state: 'processing',
		leaseExpiresAt: now + (point.lease === 'alive' ? HOUR : -HOUR),
		lateSuccesses: late(number, point.late, now),
		unknownEarlier: point.unknownEarlier,
		policy: point.policy,
		...numbers(point.attempts),
	}));
}

const REVIEWED: ReadonlyArray<readonly [StateReason, SealedWord | null]> = [
	['lease_expired', null],
	['unknown', 'unknown'],
	['unknown', 'unknown_retryable'],
	['unknown_earlier', 'permanent'],
	['unknown_earlier', null],
	['late_success', null],
	['late_success', 'retryable'],
	['mixed_outcomes', 'success'],
	['mixed_outcomes', 'unknown'],
	['contradiction', 'success'],
	['orphan_success', 'success'],
	['effect_rerun', 'retryable'],
];
for (const { point, text } of product({
	reviewed: REVIEWED,
	late: ['none', 'with ID'],
	policy: POLICIES,
	unknownEarlier: BOTH,
	attempts: [[1, 5], [2, 2]] as const,
	id: BOTH,
})) {
	const [reason, sealedWord] = point.reviewed;
	shape(`needs_review${text}`, (number, now) => ({
		state: 'needs_review',
		reason,
		sealedWord,
		result: sealedWord === 'success' ? { kept: number } : null,
		externalId: point.id ? names(number).externalId : null,
		lateSuccesses: late(number, point.late, now),
		unknownEarlier: point.unknownEarlier,
		policy: point.policy,
		...numbers(point.attempts),
	}));
}

const RETRYABLE: ReadonlyArray<readonly [StateReason, SealedWord | null]> = [
	['retryable', 'retryable'],
	['retryable', 'unknown_retryable'],
	['released', 'released'],
	['decided', null],
	['decided', 'unknown'],
	['decided', 'retryable'],
	['decided', 'success'],
];
for (const { point, text } of product({
	due: BOTH,
	failed: RETRYABLE,
	unknownEarlier: BOTH,
	policy: POLICIES,
	attempts: [[1, 5], [2, 3], [5, 5]] as const,
})) {
	const [reason, sealedWord] = point.failed;
	shape(`retryable_failed${text}`, (number, now) => ({
		state: 'retryable_failed',
		reason,
		sealedWord,
		decidedBy: decided(reason, 'retry', now),
		retryAt: now + (point.due ? -HOUR : HOUR),
		deadlineAt: point.due ? null : now + DAY,
		lateSuccesses: late(number, sealedWord === null ? 'with ID' : 'none', now),
		unknownEarlier: point.unknownEarlier,
		policy: point.policy,
		...numbers(point.attempts),
	}));
}

const FAILED: ReadonlyArray<readonly [StateReason, SealedWord | null]> = [
	['permanent', 'permanent'],
	['attempts_exhausted', 'retryable'],
	['deadline', 'unknown_retryable'],
	['decided', null],
	['decided', 'permanent'],
	['decided', 'unknown'],
	['decided', 'success'],
];
for (const { point, text } of product({
	failed: FAILED,
	unknownEarlier: BOTH,
	policy: POLICIES,
	late: ['none', 'with ID'],
	id: BOTH,
})) {
	const [reason, sealedWord] = point.failed;
	shape(`permanent_failed${text}`, (number, now) => ({
		state: 'permanent_failed',
		reason,
		sealedWord,
		decidedBy: decided(reason, 'failed', now),
		externalId: point.id ? names(number).externalId : null,
		lateSuccesses: late(number, point.late, now),
		unknownEarlier: point.unknownEarlier,
		policy: point.policy,
		completedAt: now - HOUR,
		expiresAt: point.id ? now + DAY : null,
	}));
}

for (const { point, text } of product({
	reason: [null, 'decided'] as const,
	id: BOTH,
	anomalies: ['none', 'one', 'full'],
	late: ['none', 'with ID', 'full'],
	forEver: BOTH,
})) {
	shape(`succeeded${text}`, (number, now) => ({
		state: 'succeeded',
		reason: point.reason,
		sealedWord: point.reason === null ? 'success' : null,
		decidedBy: decided(point.reason, 'succeeded', now),
		result: { paid: true, number },
		externalId: point.id ? names(number).externalId : null,
		anomalies: anomalies(number, point.anomalies, now),
		lateSuccesses: late(number, point.late, now),
		completedAt: now - HOUR,
		expiresAt: point.forEver ? null : now + DAY,
	}));
}

for (const { point, text } of product({
	state: ['processing', 'retryable_failed', 'needs_review', 'succeeded', 'permanent_failed'] as const,
	kind: ['ephemeral', 'ephemeral and over', 'over'] as const,
})) {
	const settled = point.state === 'succeeded' || point.state === 'permanent_failed';
	const ephemeral = point.kind !== 'over';
	// Only what is final or ephemeral has a time to expire.
	if (!settled && !ephemeral) continue;
	shape(`expiry${text}`, (_number, now) => ({
		state: point.state,
		ephemeral,
		reason: point.state === 'needs_review' ? 'lease_expired' : null,
		expiresAt: point.kind === 'ephemeral' ? now + HOUR : now - HOUR,
		leaseExpiresAt: point.state === 'processing' ? now + HOUR : null,
		retryAt: point.state === 'retryable_failed' ? now - HOUR : null,
		completedAt: settled ? now - 2 * HOUR : null,
		attempt: 2,
	}));
}

/** Every relevant kind of record, and none at all. */
export const SHAPES: readonly Shape[] = [
	{ name: 'none', build: () => null },
	...found.map(({ name, fields }, index) => ({
		name,
		build: (number: number, now: number) => aRecord(now, { ...beside(index, number, now), ...fields(number, now) }),
	})),
];
