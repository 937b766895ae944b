import type { LedgerRecord } from '../../../ledger/core/record';
import { decideExtend, decideRelease } from '../../../ledger/core/transitions';
import { aRelease, anExtend } from '../../support/builders';
import { HOLDER, NOW, STORED, told } from './situation';
import type { Stored } from './situation';

const extend = (record: LedgerRecord | null, changes = {}) =>
	decideExtend(record, anExtend({ key: 'charge:1', token: HOLDER }, { attempt: record?.attempt ?? 1, extendMs: 60_000, ...changes }), NOW);
const release = (record: LedgerRecord | null, changes = {}) =>
	decideRelease(record, aRelease({ key: 'charge:1', token: HOLDER }, { attempt: record?.attempt ?? 1, ...changes }), NOW);

const ALREADY = 'already_sealed → unchanged';
const REFUSED = 'refused → unchanged';
const REVIEW = 'needs_review → unchanged';

/** Design, section 3, table Extend and release with its Edges: columns extend, release, release from a rerun. */
const TABLE: Record<Stored, [string, string, string]> = {
	'none': ['not_found → none', 'released → none', 'released → none'],
	'P alive': ['extended → P', 'released → none', 'needs_review → N effect_rerun'],
	'P over': ['extended → P', 'released → none', 'needs_review → N effect_rerun'],
	'P over, take over': ['extended → P', 'released → none', 'needs_review → N effect_rerun'],
	'P over, take over, last attempt': ['extended → P', 'released → R released', 'needs_review → N effect_rerun'],
	'P, last attempt': ['extended → P', 'released → R released', 'needs_review → N effect_rerun'],
	'P, unknown earlier': ['extended → P', 'needs_review → N unknown_earlier', 'needs_review → N effect_rerun'],
	'P, late success': ['needs_review → N late_success', 'needs_review → N late_success', 'needs_review → N late_success'],
	'R waiting': [ALREADY, ALREADY, ALREADY],
	'R due': [ALREADY, ALREADY, ALREADY],
	'R due, unknown earlier': [ALREADY, ALREADY, ALREADY],
	'R due, unknown earlier, take over': [ALREADY, ALREADY, ALREADY],
	'R released': [ALREADY, 'released → unchanged', 'released → unchanged'],
	'R decided': [ALREADY, ALREADY, ALREADY],
	'S': [ALREADY, ALREADY, ALREADY],
	'S with ID': [ALREADY, ALREADY, ALREADY],
	'S decided': [ALREADY, ALREADY, ALREADY],
	'F': [ALREADY, ALREADY, ALREADY],
	'F exhausted': [ALREADY, ALREADY, ALREADY],
	'F decided': [ALREADY, ALREADY, ALREADY],
	// release on N: lease_expired as P; else refused
	'N lease_expired': [REVIEW, 'released → none', 'needs_review → N effect_rerun'],
	'N lease_expired, late success': ['needs_review → N late_success', 'needs_review → N late_success', 'needs_review → N late_success'],
	'N unknown': [REVIEW, REFUSED, 'needs_review → N effect_rerun'],
	'N unknown_earlier': [REVIEW, REFUSED, REFUSED],
	'N late_success': [REVIEW, REFUSED, REFUSED],
	'N mixed_outcomes': [REVIEW, REFUSED, REFUSED],
	'N contradiction': [REVIEW, REFUSED, REFUSED],
	'N orphan_success': [REVIEW, REFUSED, REFUSED],
	'N effect_rerun': [REVIEW, REFUSED, REFUSED],
};

describe.each(Object.entries(TABLE) as Array<[Stored, string[]]>)('extend and release: %s', (name, [extended, released, rerun]) => {
	const before = STORED[name]();
	it(`extend: ${extended}`, () => expect(told(before, extend(before))).toBe(extended));
	it(`release: ${released}`, () => expect(told(before, release(before))).toBe(released));
	it(`release from a rerun: ${rerun}`, () => expect(told(before, release(before, { rerun: true }))).toBe(rerun));
	if (before === null) return;
	it.each([{ token: 'overtaken' }, { attempt: before.attempt + 1 }])('stale with %j', (changes) => {
		expect(told(before, extend(before, changes))).toBe('stale → unchanged');
		expect(told(before, release(before, changes))).toBe('stale → unchanged');
	});
});

describe('extend', () => {
	it.each([
		[NOW + 1, 60_000, NOW + 60_000],
		[NOW + 90_000, 60_000, NOW + 90_000],
		[NOW - 90_000, 60_000, NOW + 60_000],
	])('lease until %i by %i ms: the later one', (leaseExpiresAt, extendMs, expected) => {
		const before = { ...STORED['P alive'](), leaseExpiresAt };
		expect(extend(before, { extendMs }).record).toEqual({ ...before, leaseExpiresAt: expected, revision: before.revision + 1, updatedAt: NOW });
	});
});

describe('release', () => {
	it('of a later attempt: due now, with at least one more attempt, the handle\'s token kept', () => {
		expect(release(STORED['P, last attempt']()).record).toMatchObject({ retryAt: NOW, attempt: 5, maxAttempts: 6, leaseExpiresAt: null, token: HOLDER });
		expect(release({ ...STORED['P, last attempt'](), maxAttempts: 9 }).record).toMatchObject({ maxAttempts: 9 });
	});
});
