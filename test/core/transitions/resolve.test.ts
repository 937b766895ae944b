import type { ResolveCommand } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import { decideResolve } from '../../../ledger/core/transitions';
import { aDecision } from '../../support/builders';
import { HOLDER, LATE, NOW, STORED, stored, told } from './situation';
import type { Stored } from './situation';

type Decision = ResolveCommand['decision'];
const DECISIONS: Decision[] = ['succeeded', 'retry', 'failed'];
const BECOMES = { succeeded: 'S decided', retry: 'R decided', failed: 'F decided' };

const resolve = (record: LedgerRecord | null, decision: Decision, changes: Partial<ResolveCommand> = {}) =>
	decideResolve(record, aDecision(record ?? { key: 'charge:1', token: HOLDER, revision: 1 }, decision, changes), NOW);

/** Where a person's decision is refused unless forced: while a claim is alive, and on a success. */
const REFUSED: Stored[] = ['P alive', 'P, unknown earlier', 'P, last attempt', 'P, late success', 'S', 'S with ID', 'S decided'];
const NAMES = (Object.keys(STORED) as Stored[]).filter((name) => name !== 'none');

describe.each(NAMES)('resolve: %s', (name) => {
	it.each(DECISIONS)('%s', (decision) => {
		const before = STORED[name]();
		const refused = REFUSED.includes(name);
		expect(told(before, resolve(before, decision))).toBe(refused ? 'refused → unchanged' : `resolved → ${BECOMES[decision]}`);
		expect(told(before, resolve(before, decision, { force: true }))).toBe(`resolved → ${BECOMES[decision]}`);
	});

	it('on another revision or token: stale_decision, also when forced', () => {
		const before = STORED[name]()!;
		for (const changes of [{ revision: before.revision - 1 }, { revision: before.revision + 1 }, { token: 'other' }]) {
			for (const force of [false, true]) {
				expect(told(before, resolve(before, 'retry', { force, ...changes }))).toBe('stale_decision → unchanged');
			}
		}
	});
});

describe('resolve', () => {
	it('finds nothing where nothing is', () => {
		expect(told(null, resolve(null, 'failed', { force: true }))).toBe('not_found → none');
	});

	it('on S with an anomaly or a late success: succeeded is the acknowledgement, anything else is refused', () => {
		const anomaly = { kind: 'second_effect' as const, externalId: 'id-2', otherKey: null, at: NOW };
		for (const incident of [{ anomalies: [anomaly] }, { lateSuccesses: [LATE] }]) {
			const before = { ...STORED['S with ID'](), ...incident };
			const answer = resolve(before, 'succeeded');
			expect(answer).toMatchObject({ outcome: 'resolved', record: { state: 'succeeded', externalId: 'id-1', result: 'first', anomalies: [], lateSuccesses: [] } });
			expect(answer.record!.history.at(-1)!.kept).toMatchObject(incident);
			expect(resolve(before, 'retry').outcome).toBe('refused');
			expect(resolve(before, 'failed').outcome).toBe('refused');
		}
	});

	it('succeeded: the given result and ID, or those that are kept', () => {
		const before = { ...STORED['N contradiction'](), externalId: 'id-1' };
		expect(resolve(before, 'succeeded').record).toMatchObject({ result: 'first', externalId: 'id-1', completedAt: NOW, expiresAt: NOW + 3_600_000 });
		const replaced = resolve(before, 'succeeded', { result: 'second', externalId: 'id-2' }).record!;
		expect(replaced).toMatchObject({ result: 'second', externalId: 'id-2' });
		expect(replaced.history.at(-1)!.kept).toMatchObject({ result: 'first', externalId: 'id-1' });
	});

	it('retry: due now, at least one more attempt, keeps the token', () => {
		const before = STORED['F exhausted']();
		expect(resolve(before, 'retry').record).toMatchObject({ retryAt: NOW, maxAttempts: 6, attempt: 5, token: HOLDER, expiresAt: null, completedAt: null });
		expect(resolve({ ...before, maxAttempts: 9 }, 'retry').record).toMatchObject({ maxAttempts: 9 });
	});

	it('Accept Changed Payload clears the fingerprint, with retry only', () => {
		const before = { ...STORED['N unknown'](), fingerprint: 'f', fingerprintFields: 'g' };
		expect(resolve(before, 'retry').record).toMatchObject({ fingerprint: 'f', fingerprintFields: 'g' });
		expect(resolve(before, 'retry', { acceptChangedPayload: true }).record).toMatchObject({ fingerprint: null, fingerprintFields: null });
		expect(resolve(before, 'failed', { acceptChangedPayload: true }).record).toMatchObject({ fingerprint: 'f' });
		expect(resolve(before, 'succeeded', { acceptChangedPayload: true }).record).toMatchObject({ fingerprint: 'f' });
	});

	it.each(DECISIONS)('%s: says who, why and when, and clears what was doubtful into the history', (decision) => {
		const anomaly = { kind: 'shared_external_id' as const, externalId: 'id-1', otherKey: 'charge:2', at: NOW };
		const before = stored({ state: 'needs_review', reason: 'unknown_earlier', unknownEarlier: true, lateSuccesses: [LATE], anomalies: [anomaly] });
		const { record } = resolve(before, decision, { who: 'bo', why: 'saw it', executionId: '8' });
		expect(record).toMatchObject({
			decidedBy: { decision, who: 'bo', why: 'saw it', at: NOW }, unknownEarlier: false, lateSuccesses: [], anomalies: [], revision: before.revision + 1, updatedAt: NOW,
		});
		expect(record!.history.at(-1)).toEqual({
			at: NOW, from: 'needs_review', to: record!.state, attempt: 1, executionId: '8', note: `resolved: ${decision}`,
			kept: { who: 'bo', why: 'saw it', lateSuccesses: [LATE], anomalies: [anomaly], unknownEarlier: true },
		});
	});

	it.each(['retry', 'failed'] as const)('forced off S to %s: the result is kept in the history', (decision) => {
		const { record } = resolve(STORED['S with ID'](), decision, { force: true });
		expect(record).toMatchObject({ result: null, externalId: null });
		expect(record!.history.at(-1)!.kept).toMatchObject({ result: 'first', externalId: 'id-1' });
	});
});
