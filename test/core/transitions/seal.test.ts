import type { SealCommand } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import type { OutcomeWord } from '../../../ledger/core/states';
import { decideSeal } from '../../../ledger/core/transitions';
import { aSeal, newParts } from '../../support/builders';
import { HOLDER, NOW, STORED, told } from './situation';
import type { Stored } from './situation';

const WORDS = ['success', 'retryable', 'permanent', 'unknown', 'unknown_retryable'] as const;

function seal(record: LedgerRecord | null, word: OutcomeWord, changes: Partial<SealCommand> = {}) {
	const parts = newParts({ key: 'charge:1', operation: 'charge', businessId: '1' });
	const command = aSeal({ ...parts, token: HOLDER, ephemeral: false }, word, { attempt: record?.attempt ?? 1, ...changes });
	return decideSeal(record, command, NOW);
}

const STAYS = 'already_sealed → unchanged';
const AGAIN = 'sealed again → unchanged';
/** A success kept on a record that it can't settle. */
const KEPT = (reason: string) => `already_sealed → N ${reason}`;

/**
 * Design, section 3, table Seal with its Edges: what the holder's word does.
 * Columns: success, retryable, permanent, unknown, unknown taken as retryable.
 */
const TABLE: Record<Stored, [string, string, string, string, string]> = {
	'none': ['not_found → N orphan_success', 'not_found → none', 'not_found → none', 'not_found → none', 'not_found → none'],
	'P alive': ['sealed → S', 'sealed → R retryable', 'sealed → F permanent', 'sealed → N unknown', 'sealed → R retryable'],
	'P over': ['sealed → S', 'sealed → R retryable', 'sealed → F permanent', 'sealed → N unknown', 'sealed → R retryable'],
	'P over, take over': ['sealed → S', 'sealed → R retryable', 'sealed → F permanent', 'sealed → N unknown', 'sealed → R retryable'],
	// "An unknown outcome taken as retryable sets unknownEarlier first, so on the last attempt it's N."
	'P over, take over, last attempt': ['sealed → S', 'sealed → F attempts_exhausted', 'sealed → F permanent', 'sealed → N unknown', 'sealed → N unknown_earlier'],
	'P, last attempt': ['sealed → S', 'sealed → F attempts_exhausted', 'sealed → F permanent', 'sealed → N unknown', 'sealed → N unknown_earlier'],
	'P, unknown earlier': ['sealed → S', 'sealed → R retryable', 'sealed → N unknown_earlier', 'sealed → N unknown', 'sealed → R retryable'],
	// "Every word of the holder but success give N late_success; the same on N lease_expired."
	'P, late success': ['sealed → S', 'sealed → N late_success', 'sealed → N late_success', 'sealed → N late_success', 'sealed → N late_success'],
	'N lease_expired, late success': ['sealed → S', 'sealed → N late_success', 'sealed → N late_success', 'sealed → N late_success', 'sealed → N late_success'],
	'N lease_expired': ['sealed → S', 'sealed → R retryable', 'sealed → F permanent', 'sealed → N unknown', 'sealed → R retryable'],
	'N unknown': ['sealed → S', STAYS, STAYS, AGAIN, STAYS],
	// "N for any other reason: stays N; a success is kept; other words change nothing."
	'N unknown_earlier': [KEPT('unknown_earlier'), STAYS, STAYS, STAYS, STAYS],
	'N late_success': [KEPT('late_success'), STAYS, STAYS, STAYS, STAYS],
	'N mixed_outcomes': [KEPT('mixed_outcomes'), STAYS, STAYS, STAYS, STAYS],
	'N contradiction': [STAYS, STAYS, STAYS, STAYS, STAYS],
	'N orphan_success': [STAYS, STAYS, STAYS, STAYS, STAYS],
	'N effect_rerun': [KEPT('effect_rerun'), STAYS, STAYS, STAYS, STAYS],
	// R or F by own word
	'R waiting': ['sealed → N mixed_outcomes', AGAIN, STAYS, 'sealed → N mixed_outcomes', 'sealed → N mixed_outcomes'],
	'R due': ['sealed → N mixed_outcomes', AGAIN, STAYS, 'sealed → N mixed_outcomes', 'sealed → N mixed_outcomes'],
	'R due, unknown earlier': ['sealed → N mixed_outcomes', STAYS, STAYS, 'sealed → N mixed_outcomes', AGAIN],
	'R due, unknown earlier, take over': ['sealed → N mixed_outcomes', STAYS, STAYS, 'sealed → N mixed_outcomes', AGAIN],
	'R released': ['sealed → N mixed_outcomes', STAYS, STAYS, 'sealed → N mixed_outcomes', 'sealed → N mixed_outcomes'],
	'F': ['sealed → N mixed_outcomes', STAYS, AGAIN, 'sealed → N mixed_outcomes', 'sealed → N mixed_outcomes'],
	'F exhausted': ['sealed → N mixed_outcomes', AGAIN, STAYS, 'sealed → N mixed_outcomes', 'sealed → N mixed_outcomes'],
	// "R or F decided by a person, then the holder's first unknown: N."
	'R decided': ['sealed → S', STAYS, STAYS, 'sealed → N unknown', 'sealed → N unknown'],
	'F decided': ['sealed → N contradiction', STAYS, STAYS, 'sealed → N unknown', 'sealed → N unknown'],
	'S': [AGAIN, STAYS, STAYS, STAYS, STAYS],
	'S with ID': [AGAIN, STAYS, STAYS, STAYS, STAYS],
	'S decided': [AGAIN, STAYS, STAYS, STAYS, STAYS],
};

describe.each(Object.entries(TABLE) as Array<[Stored, string[]]>)('the seal table: %s', (name, row) => {
	it.each(WORDS.map((word, column) => [word, row[column]]))('%s: %s', (word, expected) => {
		const before = STORED[name]();
		expect(told(before, seal(before, word as OutcomeWord))).toBe(expected);
	});
});

describe('what a success leaves', () => {
	it.each(['P alive', 'P, unknown earlier', 'N lease_expired', 'N unknown', 'R decided'] as const)('on %s: result, ID, completion, expiry; nothing doubtful', (name) => {
		const before = STORED[name]();
		const { record } = seal(before, 'success', { result: { a: 1 }, externalId: 'id-1' });
		expect(record).toMatchObject({
			state: 'succeeded', reason: null, result: { a: 1 }, externalId: 'id-1', sealedWord: 'success', unknownEarlier: false, decidedBy: null,
			leaseExpiresAt: null, retryAt: null, lastError: null, completedAt: NOW, expiresAt: NOW + 3_600_000, revision: before.revision + 1,
		});
	});

	it('with retention 0: never expires', () => {
		expect(seal({ ...STORED['P alive'](), retentionSeconds: 0 }, 'success').record?.expiresAt).toBeNull();
	});

	it.each(['R due', 'F', 'F decided', 'N unknown_earlier', 'N late_success', 'N effect_rerun', 'N mixed_outcomes'] as const)('on %s: it stays or becomes N, with result and ID kept', (name) => {
		const { record } = seal(STORED[name](), 'success', { result: 'kept', externalId: 'id-9' });
		expect(record).toMatchObject({ state: 'needs_review', result: 'kept', externalId: 'id-9', sealedWord: 'success', expiresAt: null, completedAt: null });
	});

	it('on N that keeps one already: the revision is raised only by news', () => {
		const before = STORED['N contradiction']();
		const first = seal(before, 'success', { externalId: 'id-9', result: 'second' });
		expect(first.record).toMatchObject({ revision: before.revision + 1, externalId: 'id-9', result: 'first' });
		expect(told(first.record, seal(first.record, 'success', { externalId: 'id-9' }))).toBe(STAYS);
		expect(seal(first.record, 'success', { externalId: 'id-10' }).record?.anomalies).toEqual([{ kind: 'second_effect', externalId: 'id-10', otherKey: null, at: NOW }]);
	});

	it.each([
		[null, null, 'again', null],
		['id-1', 'id-1', 'again', 'id-1'],
		['id-1', null, 'again', 'id-1'],
		[null, 'id-1', 'again', 'id-1'],
		['id-1', 'id-2', 'anomaly', 'id-1'],
	])('on S with ID %s, said again with %s: %s', (known, given, detail, kept) => {
		const before = { ...STORED['S'](), externalId: known };
		const answer = seal(before, 'success', { externalId: given, result: 'second' });
		expect(answer).toMatchObject({ outcome: 'sealed', detail, record: { state: 'succeeded', externalId: kept, result: 'first' } });
		expect(answer.record?.anomalies).toEqual(detail === 'anomaly' ? [{ kind: 'second_effect', externalId: given, otherKey: null, at: NOW }] : []);
	});

	it.each([
		['id-1', 'anomaly'],
		['late-id', null],
		[null, null],
	])('after a late success, with ID %s: S, %s', (externalId, detail) => {
		for (const name of ['P, late success', 'N lease_expired, late success'] as const) {
			const answer = seal(STORED[name](), 'success', { externalId });
			expect(answer).toMatchObject({ outcome: 'sealed', detail, record: { state: 'succeeded' } });
			expect(answer.record?.anomalies.map((one) => one.externalId)).toEqual(detail ? ['late-id'] : []);
		}
	});

	it('without a record: an orphan with review policy, default attempts, no fingerprint', () => {
		expect(seal(null, 'success', { result: 'r', externalId: 'id-1', attempt: 3 }).record).toMatchObject({
			state: 'needs_review', reason: 'orphan_success', policy: 'review', maxAttempts: 5, fingerprint: null, fingerprintFields: null,
			result: 'r', externalId: 'id-1', token: HOLDER, attempt: 3, revision: 1, expiresAt: null,
		});
	});
});

describe('what a failure leaves', () => {
	it('retryable: due after the delay, with the error', () => {
		const error = { code: 'E', httpStatus: 429, message: 'm' };
		expect(seal(STORED['P alive'](), 'retryable', { retryDelayMs: 5, error }).record).toMatchObject({
			retryAt: NOW + 5, leaseExpiresAt: null, sealedWord: 'retryable', lastError: { ...error, at: NOW }, unknownEarlier: false,
		});
	});

	it('unknown taken as retryable: R that remembers it, or N on the last attempt', () => {
		expect(seal(STORED['P alive'](), 'unknown_retryable').record).toMatchObject({ state: 'retryable_failed', unknownEarlier: true });
		expect(seal(STORED['P, last attempt'](), 'unknown_retryable').record).toMatchObject({ state: 'needs_review', unknownEarlier: true });
	});

	it.each([
		// [deadline after the first claim in s, delay in ms, expected]; the first claim was an hour before NOW
		[3_599, 0, 'F deadline'],
		[3_600, 0, 'R retryable'],
		[3_600, 1, 'F deadline'],
		[3_601, 1_000, 'R retryable'],
		[null, 1e9, 'R retryable'],
		[0, 0, 'F deadline'],
	])('deadline %s s, due in %s ms: %s', (deadlineSeconds, retryDelayMs, expected) => {
		const before = STORED['P alive']();
		expect(told(before, seal(before, 'retryable', { deadlineSeconds, retryDelayMs }))).toBe(`sealed → ${expected}`);
		const doubtful = { ...before, unknownEarlier: true };
		const instead = expected.startsWith('F') ? 'N unknown_earlier' : expected;
		expect(told(doubtful, seal(doubtful, 'retryable', { deadlineSeconds, retryDelayMs }))).toBe(`sealed → ${instead}`);
	});

	it.each(WORDS.slice(1))('%s of a Retry of n8n describes only the repeated call', (word) => {
		for (const name of ['P alive', 'P over', 'P, last attempt', 'P, unknown earlier', 'N lease_expired', 'N unknown'] as const) {
			const before = STORED[name]();
			expect(told(before, seal(before, word, { rerun: true }))).toBe('sealed → N effect_rerun');
		}
		// Elsewhere the table holds.
		for (const name of ['R due', 'F', 'R decided', 'S', 'N effect_rerun', 'N late_success'] as const) {
			const before = STORED[name]();
			expect(told(before, seal(before, word, { rerun: true }))).toBe(told(before, seal(before, word)));
		}
	});

	it('the success of a Retry of n8n counts as any', () => {
		for (const name of Object.keys(STORED) as Stored[]) {
			const before = STORED[name]();
			expect(seal(before, 'success', { rerun: true })).toEqual(seal(before, 'success'));
		}
	});

	it.each(['retryable', 'unknown_retryable', 'unknown'] as const)('a person decided after the holder had said unknown: its %s is no news', (word) => {
		for (const name of ['R decided', 'F decided'] as const) {
			const before: LedgerRecord = { ...STORED[name](), sealedWord: 'unknown' };
			expect(told(before, seal(before, word))).toBe(STAYS);
		}
	});
});
