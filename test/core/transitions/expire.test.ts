import { decideClaim, decideExpire } from '../../../ledger/core/transitions';
import { aClaim } from '../../support/builders';
import { LATE, NOW, STORED, stored, told } from './situation';
import type { Stored } from './situation';

const KEPT = 'kept → unchanged';

/** What a sweep without grace does to each kind of record: only a lease that is over, and that nobody may take over, moves. */
const TABLE: Record<Stored, string> = {
	'none': 'kept → none',
	'P alive': KEPT,
	'P over': 'expired → N lease_expired',
	'P over, take over': KEPT,
	'P over, take over, last attempt': 'expired → N lease_expired',
	'P, last attempt': KEPT,
	'P, unknown earlier': KEPT,
	'P, late success': KEPT,
	'R waiting': KEPT,
	'R due': KEPT,
	'R due, unknown earlier': KEPT,
	'R due, unknown earlier, take over': KEPT,
	'R released': KEPT,
	'R decided': KEPT,
	'S': KEPT,
	'S with ID': KEPT,
	'S decided': KEPT,
	'F': KEPT,
	'F exhausted': KEPT,
	'F decided': KEPT,
	'N lease_expired': KEPT,
	'N lease_expired, late success': KEPT,
	'N unknown': KEPT,
	'N unknown_earlier': KEPT,
	'N late_success': KEPT,
	'N mixed_outcomes': KEPT,
	'N contradiction': KEPT,
	'N orphan_success': KEPT,
	'N effect_rerun': KEPT,
};

describe('expire', () => {
	it.each(Object.entries(TABLE) as Array<[Stored, string]>)('%s: %s', (name, expected) => {
		const record = STORED[name]();
		expect(told(record, decideExpire(record, { graceMs: 0 }, NOW))).toBe(expected);
	});

	it('waits for the grace period, to the millisecond', () => {
		const record = stored({ leaseExpiresAt: NOW - 1_000 });
		expect(decideExpire(record, { graceMs: 1_001 }, NOW).outcome).toBe('kept');
		expect(decideExpire(record, { graceMs: 1_000 }, NOW).outcome).toBe('expired');
	});

	it('leaves manual runs kept apart: they are forgotten', () => {
		const record = stored({ leaseExpiresAt: NOW - 1, ephemeral: true, expiresAt: NOW + 1 });
		expect(decideExpire(record, { graceMs: 0 }, NOW)).toMatchObject({ outcome: 'kept', record });
	});

	it.each([
		['a lease that is over', stored({ leaseExpiresAt: NOW })],
		['one whose attempts are used up', stored({ leaseExpiresAt: NOW, policy: 'take_over', attempt: 5 })],
		['one beside a late success', stored({ leaseExpiresAt: NOW, policy: 'take_over', attempt: 2, lateSuccesses: [LATE] })],
	])('%s becomes what a claim that may not take over makes of it', (_name, record) => {
		const claim = aClaim({ key: record.key, policy: 'review', owner: { ...record.owner, executionId: null } });
		expect(decideExpire(record, { graceMs: 0 }, NOW).record).toEqual(decideClaim(record, claim, NOW).record);
	});
});
