import type { SealCommand } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import type { OutcomeWord } from '../../../ledger/core/states';
import { decideSeal } from '../../../ledger/core/transitions';
import { aSeal, newParts } from '../../support/builders';
import { HOLDER, LATE, NOW, STORED, afterwards } from './situation';
import type { Stored } from './situation';

function stale(record: LedgerRecord, word: OutcomeWord, changes: Partial<SealCommand> = {}) {
	const parts = newParts({ key: 'charge:1', operation: 'charge', businessId: '1' });
	return decideSeal(record, aSeal({ ...parts, token: 'overtaken', ephemeral: false }, word, { attempt: 1, ...changes }), NOW);
}

const COUNTED = 'staleSeals + 1';

/** What a holder that no longer holds can do: columns success, a failure word, unknown. */
const TABLE: Record<Exclude<Stored, 'none'>, [string, string, string]> = {
	'P alive': ['P', COUNTED, 'P'],
	'P over': ['P', COUNTED, 'P'],
	'P over, take over': ['P', COUNTED, 'P'],
	'P over, take over, last attempt': ['P', COUNTED, 'P'],
	'P, unknown earlier': ['P', COUNTED, COUNTED],
	'P, last attempt': ['P', COUNTED, 'P'],
	'P, late success': ['P', COUNTED, 'P'],
	'S': ['S', COUNTED, COUNTED],
	'S with ID': ['S', COUNTED, COUNTED],
	'S decided': ['S decided', COUNTED, COUNTED],
	// "R or F becomes N"
	'R waiting': ['N late_success', COUNTED, 'R retryable'],
	'R due': ['N late_success', COUNTED, 'R retryable'],
	'R due, unknown earlier': ['N late_success', COUNTED, COUNTED],
	'R due, unknown earlier, take over': ['N late_success', COUNTED, 'R retryable'],
	'R released': ['N late_success', COUNTED, 'R released'],
	'R decided': ['N late_success', COUNTED, 'R decided'],
	// "A stale holder's unknown: … F becomes N"
	'F': ['N late_success', COUNTED, 'N unknown_earlier'],
	'F exhausted': ['N late_success', COUNTED, 'N unknown_earlier'],
	'F decided': ['N late_success', COUNTED, 'N unknown_earlier'],
	'N lease_expired': ['N lease_expired', COUNTED, 'N lease_expired'],
	'N lease_expired, late success': ['N lease_expired', COUNTED, 'N lease_expired'],
	'N unknown': ['N unknown', COUNTED, 'N unknown'],
	'N unknown_earlier': ['N unknown_earlier', COUNTED, COUNTED],
	'N late_success': ['N late_success', COUNTED, 'N late_success'],
	'N mixed_outcomes': ['N mixed_outcomes', COUNTED, 'N mixed_outcomes'],
	'N contradiction': ['N contradiction', COUNTED, 'N contradiction'],
	'N orphan_success': ['N orphan_success', COUNTED, 'N orphan_success'],
	'N effect_rerun': ['N effect_rerun', COUNTED, 'N effect_rerun'],
};

describe.each(Object.entries(TABLE) as Array<[keyof typeof TABLE, [string, string, string]]>)('a stale seal on %s', (name, [success, failure, unknown]) => {
	const before = STORED[name]();

	it(`success: ${success}, and it is kept`, () => {
		const answer = stale(before, 'success', { externalId: 'id-7' });
		expect(answer.outcome).toBe('stale');
		expect(afterwards(before, answer.record)).toBe(success);
		expect(answer.record).toMatchObject({
			token: HOLDER, attempt: before.attempt, result: before.result, externalId: before.externalId, sealedWord: before.sealedWord,
			leaseExpiresAt: answer.record!.state === 'processing' ? before.leaseExpiresAt : null, revision: before.revision + 1,
			counters: { staleSeals: 1 },
		});
		expect(answer.record!.lateSuccesses).toEqual([...before.lateSuccesses, { attempt: 1, externalId: 'id-7', at: NOW }]);
	});

	it.each(['retryable', 'permanent'] as const)(`%s: ${failure}`, (word) => {
		const answer = stale(before, word);
		expect(answer.outcome).toBe('stale');
		expect(afterwards(before, answer.record)).toBe(failure);
	});

	it.each(['unknown', 'unknown_retryable'] as const)(`%s: ${unknown}, unknownEarlier and policy review (not on S)`, (word) => {
		const answer = stale(before, word);
		expect(answer.outcome).toBe('stale');
		expect(afterwards(before, answer.record)).toBe(unknown);
		if (before.state !== 'succeeded') expect(answer.record).toMatchObject({ unknownEarlier: true, policy: 'review' });
	});
});

describe('stale', () => {
	it.each([
		['token', { attempt: 2 }],
		['attempt', { token: HOLDER }],
	])('is who shows another %s', (_what, changes) => {
		const before: LedgerRecord = { ...STORED['P alive'](), attempt: 2 };
		expect(stale(before, 'permanent', changes).outcome).toBe('stale');
		expect(stale(before, 'permanent', { attempt: 2, token: HOLDER }).outcome).toBe('sealed');
	});

	it('says nothing new twice: the late success is known', () => {
		const before = STORED['P, late success']();
		const answer = stale(before, 'success', { externalId: LATE.externalId });
		expect(afterwards(before, answer.record)).toBe(COUNTED);
	});

	it.each([
		['id-1', 'id-1', 0],
		['id-1', null, 0],
		['id-1', 'id-2', 1],
		[null, 'id-2', 0],
	])('success on S with ID %s, with ID %s: %i anomalies', (known, late, anomalies) => {
		const before = { ...STORED['S'](), externalId: known };
		const { record } = stale(before, 'success', { externalId: late });
		expect(record).toMatchObject({ state: 'succeeded', externalId: known });
		expect(record!.anomalies).toHaveLength(anomalies);
	});

	it('success on F takes the expiry off: it must not be forgotten', () => {
		expect(stale(STORED['F'](), 'success').record).toMatchObject({ expiresAt: null, completedAt: null });
	});
});
