import * as fc from 'fast-check';

import type {
	ClaimCommand,
	ExtendCommand,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../../ledger/core/commands';
import type { HistoryEntry, Json, LedgerRecord } from '../../../ledger/core/record';
import { LEDGER_STATES, OUTCOME_WORDS } from '../../../ledger/core/states';
import type { StateReason } from '../../../ledger/core/states';

/**
 * Any record beside any command, drawn from few values, so that tokens, IDs and fingerprints meet
 * often. Wider than what the rules can reach: the SQL has to agree with the specification on all of it.
 */
const REASONS: StateReason[] = [
	'lease_expired', 'unknown', 'unknown_earlier', 'late_success', 'mixed_outcomes', 'contradiction', 'orphan_success',
	'effect_rerun', 'retryable', 'released', 'permanent', 'attempts_exhausted', 'deadline', 'decided',
];
const REASONS_OF = {
	processing: [null],
	succeeded: [null, 'decided'],
	retryable_failed: ['retryable', 'released', 'decided'],
	permanent_failed: ['permanent', 'attempts_exhausted', 'deadline', 'decided'],
	// The first two have rows of their own in the tables; for the other six there is one.
	needs_review: [...REASONS.slice(0, 8), 'lease_expired', 'unknown', 'lease_expired', 'unknown', 'unknown'],
} as const;

const ids = ['id-1', 'id-2', 'id-\0\ud800␛0000'];
const externalId = fc.constantFrom(null, ...ids);
const token = fc.constantFrom('token-1', 'token-2');
const attempt = fc.integer({ min: 1, max: 3 });
const text = fc.constantFrom(null, 'one', 'zwei ä 🎉', '\0 and \ud800 and ␛');
const result: fc.Arbitrary<Json> = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom<Json>(null, { b: 1, a: [1.5, '\0', '\ud83d'] }, 'text', 0, false) },
	// −0 becomes 0 in any JSON
	fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
);
const error = fc.option(fc.record({ code: text, httpStatus: fc.constantFrom(null, 503), message: text.map(String) }));

/** Times around now; a quarter of an hour is far enough that the test's own duration can't matter. */
const QUARTER = 900_000;
const time = (now: number) => fc.constantFrom(now - 2 * QUARTER, now - QUARTER, now + QUARTER);
const maybe = <Value>(some: fc.Arbitrary<Value>) => fc.option(some, { freq: 2 });

/** Mostly none, so that the rules behind them are met as well; else up to the limit of such a list. */
const sparse = <Value>(one: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 2, arbitrary: fc.constant<Value[]>([]) }, fc.array(one, { maxLength: 5 }), fc.array(one, { minLength: 5, maxLength: 5 }));

function historyEntry(now: number): fc.Arbitrary<HistoryEntry> {
	return fc.record({
		at: time(now),
		from: fc.constantFrom(null, ...LEDGER_STATES),
		to: fc.constantFrom(...LEDGER_STATES),
		attempt,
		executionId: text,
		note: text,
		kept: fc.constantFrom<Json>(null, { who: 'a\0b', why: 'c', result: { text: '␛0000' }, externalId: ids[2] }),
	});
}

export function anyRecord(key: string, now: number): fc.Arbitrary<LedgerRecord> {
	const late = fc.record({ attempt, externalId, at: time(now) });
	const anomaly = fc.record({
		kind: fc.constantFrom('second_effect' as const, 'shared_external_id' as const),
		externalId: fc.constantFrom(...ids),
		otherKey: fc.constantFrom(null, 'other'),
		at: time(now),
	});
	return fc.constantFrom(...LEDGER_STATES).chain((state) =>
		fc.record({
			key: fc.constant(key),
			operation: fc.constantFrom(`op of ${key}`),
			businessId: text.map(String),
			scope: text,
			version: text,
			revision: fc.integer({ min: 1, max: 2 }),
			state: fc.constant(state),
			reason: fc.constantFrom<StateReason | null>(...REASONS_OF[state]),
			token,
			attempt,
			maxAttempts: fc.integer({ min: 1, max: 4 }),
			policy: fc.constantFrom('review' as const, 'take_over' as const),
			fingerprint: fc.constantFrom(null, null, 'print-1', 'print-2'),
			fingerprintFields: fc.constantFrom(null, '["a"]'),
			leaseExpiresAt: maybe(time(now)),
			retryAt: maybe(time(now)),
			deadlineAt: maybe(time(now)),
			result,
			externalId,
			lateSuccesses: sparse(late),
			anomalies: sparse(anomaly),
			unknownEarlier: fc.boolean(),
			sealedWord: fc.constantFrom(null, 'released' as const, ...OUTCOME_WORDS),
			decidedBy: maybe(fc.record({
				decision: fc.constantFrom('succeeded' as const, 'retry' as const, 'failed' as const),
				who: text.map(String),
				why: text.map(String),
				at: time(now),
			})),
			lastError: maybe(fc.record({ code: text, httpStatus: fc.constantFrom(null, 503), message: text.map(String), at: time(now) })),
			correlationId: text,
			owner: fc.record({ instanceId: text, workflowId: text, workflowName: text, executionId: text, nodeName: text }),
			counters: fc.record({ duplicates: fc.nat(9), conflicts: fc.nat(9), takeovers: fc.nat(9), staleSeals: fc.nat(9) }),
			createdAt: time(now),
			updatedAt: time(now),
			completedAt: maybe(time(now)),
			expiresAt: fc.constantFrom(null, null, now + QUARTER, now - QUARTER),
			retentionSeconds: fc.constantFrom(0, 3600, 31_536_000),
			ephemeral: fc.constantFrom(false, false, false, true),
			history: fc.oneof(fc.array(historyEntry(now), { maxLength: 3 }), fc.array(historyEntry(now), { minLength: 18, maxLength: 20 })),
		}),
	);
}

/** Half of the commands show what the record says; the other half something like it. */
function near<Value>(own: Value, any: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
	return fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, any);
}

export function anyClaim(record: LedgerRecord): fc.Arbitrary<ClaimCommand> {
	return fc.record({
		key: fc.constant(record.key),
		operation: fc.constantFrom(record.operation, 'another'),
		businessId: text.map(String),
		scope: text,
		version: text,
		token,
		leaseMs: fc.constantFrom(1, 60_000, 40 * 86_400_000),
		policy: fc.constantFrom('review' as const, 'take_over' as const, 'take_over' as const),
		maxAttempts: fc.integer({ min: 1, max: 9 }),
		retentionSeconds: fc.constantFrom(0, 60),
		fingerprint: near(record.fingerprint, fc.constantFrom(null, 'print-1', 'print-2')),
		fingerprintFields: near(record.fingerprintFields, fc.constantFrom(null, '["a"]')),
		correlationId: text,
		owner: fc.record({ instanceId: text, workflowId: text, workflowName: text, executionId: text, nodeName: text }),
		ephemeral: fc.boolean(),
	});
}

const handle = (record: LedgerRecord) => ({
	key: fc.constant(record.key),
	token: near(record.token, token),
	attempt: near(record.attempt, attempt),
});

const saidBefore = ({ sealedWord }: LedgerRecord) => (sealedWord === null || sealedWord === 'released' ? 'unknown' : sealedWord);

export function anySeal(record: LedgerRecord): fc.Arbitrary<SealCommand> {
	return fc.record({
		...handle(record),
		operation: fc.constant(record.operation),
		businessId: text.map(String),
		scope: text,
		version: text,
		// Often a success, often the word said before.
		word: fc.constantFrom('success', saidBefore(record), saidBefore(record), ...OUTCOME_WORDS),
		result,
		externalId,
		error,
		retryDelayMs: fc.constantFrom(0, 1500, 40 * 86_400_000),
		deadlineSeconds: fc.constantFrom(null, 0, 86_400, 100 * 86_400),
		rerun: fc.constantFrom(false, false, true),
		ephemeral: fc.boolean(),
		externalIdIsUnique: fc.boolean(),
		executionId: text,
	});
}

export const anyExtend = (record: LedgerRecord): fc.Arbitrary<ExtendCommand> =>
	fc.record({ ...handle(record), extendMs: fc.constantFrom(1, 60_000, 40 * 86_400_000) });

export const anyRelease = (record: LedgerRecord): fc.Arbitrary<ReleaseCommand> =>
	fc.record({ ...handle(record), rerun: fc.boolean(), executionId: text });

export function anyResolve(record: LedgerRecord): fc.Arbitrary<ResolveCommand> {
	return fc.record({
		key: fc.constant(record.key),
		token: near(record.token, token),
		revision: near(record.revision, fc.integer({ min: 1, max: 2 })),
		decision: fc.constantFrom('succeeded' as const, 'retry' as const, 'failed' as const),
		force: fc.boolean(),
		who: text.map(String),
		why: text.map(String),
		result,
		externalId,
		acceptChangedPayload: fc.boolean(),
		executionId: text,
	});
}
