import type { Answer } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import { HOUR, aRecord } from '../../support/builders';

/** The moment at which every command of these tests is decided, epoch ms. */
export const NOW = 1_800_000_000_000;
export const HOLDER = 'holder';
export const STRANGER = 'stranger';

/** The words of the tables for what is stored. A function, since each test gets a record of its own. */
export const STORED = {
	'P alive': () => stored({ state: 'processing', leaseExpiresAt: NOW + 1 }),
	'P over': () => stored({ state: 'processing', leaseExpiresAt: NOW }),
	'P over, take over': () => stored({ state: 'processing', leaseExpiresAt: NOW, policy: 'take_over' }),
	'P over, take over, last attempt': () =>
		stored({ state: 'processing', leaseExpiresAt: NOW, policy: 'take_over', attempt: 5 }),
	'P, unknown earlier': () => stored({ state: 'processing', leaseExpiresAt: NOW + 1, attempt: 2, unknownEarlier: true }),
	'P, last attempt': () => stored({ state: 'processing', leaseExpiresAt: NOW + 1, attempt: 5 }),
	'P, late success': () => stored({ state: 'processing', leaseExpiresAt: NOW + 1, attempt: 2, lateSuccesses: [LATE] }),
	'S': () => stored({ state: 'succeeded', sealedWord: 'success', result: 'first', completedAt: NOW - HOUR, expiresAt: NOW + HOUR }),
	'S with ID': () =>
		stored({ state: 'succeeded', sealedWord: 'success', result: 'first', externalId: 'id-1', completedAt: NOW - HOUR, expiresAt: NOW + HOUR }),
	'S decided': () => stored({ state: 'succeeded', reason: 'decided', decidedBy: decided('succeeded'), expiresAt: NOW + HOUR }),
	'R waiting': () => stored({ state: 'retryable_failed', reason: 'retryable', sealedWord: 'retryable', retryAt: NOW + 1 }),
	'R due': () => stored({ state: 'retryable_failed', reason: 'retryable', sealedWord: 'retryable', retryAt: NOW }),
	'R due, unknown earlier': () =>
		stored({ state: 'retryable_failed', reason: 'retryable', sealedWord: 'unknown_retryable', retryAt: NOW, unknownEarlier: true }),
	'R due, unknown earlier, take over': () =>
		stored({ state: 'retryable_failed', reason: 'retryable', sealedWord: 'unknown_retryable', retryAt: NOW, unknownEarlier: true, policy: 'take_over' }),
	'R released': () => stored({ state: 'retryable_failed', reason: 'released', sealedWord: 'released', retryAt: NOW, attempt: 2 }),
	'R decided': () => stored({ state: 'retryable_failed', reason: 'decided', decidedBy: decided('retry'), retryAt: NOW }),
	'F': () => stored({ state: 'permanent_failed', reason: 'permanent', sealedWord: 'permanent', completedAt: NOW - HOUR, expiresAt: NOW + HOUR }),
	'F exhausted': () => stored({ state: 'permanent_failed', reason: 'attempts_exhausted', sealedWord: 'retryable', attempt: 5, expiresAt: NOW + HOUR }),
	'F decided': () => stored({ state: 'permanent_failed', reason: 'decided', decidedBy: decided('failed'), expiresAt: NOW + HOUR }),
	'N lease_expired': () => stored({ state: 'needs_review', reason: 'lease_expired' }),
	'N lease_expired, late success': () => stored({ state: 'needs_review', reason: 'lease_expired', attempt: 2, lateSuccesses: [LATE] }),
	'N unknown': () => stored({ state: 'needs_review', reason: 'unknown', sealedWord: 'unknown' }),
	'N unknown_earlier': () => stored({ state: 'needs_review', reason: 'unknown_earlier', sealedWord: 'permanent', unknownEarlier: true, attempt: 2 }),
	'N late_success': () => stored({ state: 'needs_review', reason: 'late_success', lateSuccesses: [LATE], attempt: 2 }),
	'N mixed_outcomes': () => stored({ state: 'needs_review', reason: 'mixed_outcomes', sealedWord: 'unknown' }),
	'N contradiction': () => stored({ state: 'needs_review', reason: 'contradiction', sealedWord: 'success', result: 'first' }),
	'N orphan_success': () => stored({ state: 'needs_review', reason: 'orphan_success', sealedWord: 'success', result: 'first' }),
	'N effect_rerun': () => stored({ state: 'needs_review', reason: 'effect_rerun', sealedWord: 'retryable' }),
	'none': () => null,
} satisfies Record<string, () => LedgerRecord | null>;
export type Stored = keyof typeof STORED;

export const LATE = { attempt: 1, externalId: 'late-id', at: NOW - 60_000 };

export const decided = (decision: 'succeeded' | 'retry' | 'failed') => ({ decision, who: 'ada', why: 'asked', at: NOW - 60_000 });

export function stored(changes: Partial<LedgerRecord>): LedgerRecord {
	return aRecord(NOW, { key: 'charge:1', operation: 'charge', businessId: '1', token: HOLDER, retentionSeconds: 3_600, ...changes });
}

const LETTERS = { processing: 'P', succeeded: 'S', retryable_failed: 'R', permanent_failed: 'F', needs_review: 'N' };

/** A record in the words of the tables: state letter and reason; `unchanged` and `counted` when it is that. */
export function afterwards(before: LedgerRecord | null, after: LedgerRecord | null): string {
	if (after === null) return 'none';
	if (before !== null && same(before, after)) return 'unchanged';
	if (before !== null && same({ ...before, counters: after.counters }, after)) return `${counted(before, after)} + 1`;
	return [LETTERS[after.state], after.reason].filter((word) => word !== null).join(' ');
}

function counted(before: LedgerRecord, after: LedgerRecord): string {
	const names = Object.keys(after.counters) as Array<keyof LedgerRecord['counters']>;
	return names.filter((name) => after.counters[name] === before.counters[name] + 1).join(', ');
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Outcome, detail and record of an answer, in the words of the tables: `claimed takeover → P`. */
export function told(before: LedgerRecord | null, answer: Answer<string>): string {
	expect(answer.at).toBe(NOW);
	return [answer.outcome, answer.detail, '→', afterwards(before, answer.record)].filter((word) => word !== null).join(' ');
}
