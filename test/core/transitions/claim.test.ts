import type { ClaimCommand } from '../../../ledger/core/commands';
import { decideClaim } from '../../../ledger/core/transitions';
import { HOUR, aClaim } from '../../support/builders';
import { HOLDER, NOW, STORED, STRANGER, stored, told } from './situation';
import type { Stored } from './situation';

const claim = (changes: Partial<ClaimCommand> = {}) =>
	aClaim({ key: 'charge:1', operation: 'charge', businessId: '1', token: STRANGER, leaseMs: 60_000, ...changes });

/** Design, section 3, table Claim, row by row: stored, token and arriving policy → outcome and record. */
const TABLE: Array<[Stored, 'other' | 'same', ClaimCommand['policy'], string]> = [
	['none', 'other', 'review', 'claimed first → P'],
	// P, same token: claimed (own lost answer), lease renewed
	['P alive', 'same', 'review', 'claimed own → P'],
	['P over', 'same', 'review', 'claimed own → P'],
	['P over, take over', 'same', 'take_over', 'claimed own → P'],
	['P over, take over, last attempt', 'same', 'take_over', 'claimed own → P'],
	// any other state, same token: as if the token were another, but never claimed
	['S', 'same', 'review', 'succeeded → duplicates + 1'],
	['R waiting', 'same', 'review', 'in_progress → duplicates + 1'],
	['R due', 'same', 'review', 'in_progress → duplicates + 1'],
	['R due, unknown earlier', 'same', 'review', 'needs_review → N unknown_earlier'],
	['R due, unknown earlier, take over', 'same', 'take_over', 'in_progress → duplicates + 1'],
	['R decided', 'same', 'review', 'in_progress → duplicates + 1'],
	['R released', 'same', 'review', 'in_progress → duplicates + 1'],
	['F', 'same', 'review', 'needs_review → duplicates + 1'],
	['N unknown', 'same', 'take_over', 'needs_review → duplicates + 1'],
	['N lease_expired', 'same', 'take_over', 'needs_review → duplicates + 1'],
	// S: succeeded (replay)
	['S', 'other', 'review', 'succeeded → duplicates + 1'],
	['S with ID', 'other', 'take_over', 'succeeded → duplicates + 1'],
	['S decided', 'other', 'take_over', 'succeeded → duplicates + 1'],
	// P, lease alive: in_progress
	['P alive', 'other', 'review', 'in_progress → duplicates + 1'],
	['P alive', 'other', 'take_over', 'in_progress → duplicates + 1'],
	['P, late success', 'other', 'take_over', 'in_progress → duplicates + 1'],
	// P, lease over, stored and arriving policy are take over, attempts left: claimed
	['P over, take over', 'other', 'take_over', 'claimed takeover → P'],
	// P, lease over, otherwise: needs_review; lease_expired always (Edges)
	['P over', 'other', 'review', 'needs_review → N lease_expired'],
	['P over', 'other', 'take_over', 'needs_review → N lease_expired'],
	['P over, take over', 'other', 'review', 'needs_review → N lease_expired'],
	['P over, take over, last attempt', 'other', 'take_over', 'needs_review → N lease_expired'],
	// R, now < retryAt: in_progress
	['R waiting', 'other', 'take_over', 'in_progress → duplicates + 1'],
	// R, due, unknownEarlier and not take over on both sides: N
	['R due, unknown earlier', 'other', 'review', 'needs_review → N unknown_earlier'],
	['R due, unknown earlier', 'other', 'take_over', 'needs_review → N unknown_earlier'],
	['R due, unknown earlier, take over', 'other', 'review', 'needs_review → N unknown_earlier'],
	// R, due: claimed
	['R due, unknown earlier, take over', 'other', 'take_over', 'claimed retry → P'],
	['R due', 'other', 'review', 'claimed retry → P'],
	['R released', 'other', 'review', 'claimed retry → P'],
	['R decided', 'other', 'take_over', 'claimed retry → P'],
	// F, N: needs_review with state and reason
	['F', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['F exhausted', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['F decided', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N lease_expired', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N lease_expired, late success', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N unknown', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N unknown_earlier', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N late_success', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N mixed_outcomes', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N contradiction', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N orphan_success', 'other', 'take_over', 'needs_review → duplicates + 1'],
	['N effect_rerun', 'other', 'take_over', 'needs_review → duplicates + 1'],
	// Edges: P with lateSuccess (before P, same token): own re-claim, any claim after the lease
	['P, late success', 'same', 'take_over', 'needs_review → N late_success'],
];

describe('the claim table', () => {
	it.each(TABLE)('%s, %s token, %s: %s', (name, token, policy, expected) => {
		const before = STORED[name]();
		const answer = decideClaim(before, claim({ token: token === 'same' ? HOLDER : STRANGER, policy }), NOW);
		expect(told(before, answer)).toBe(expected);
	});

	it('a late success, after the lease: any claim goes to review', () => {
		const before = { ...STORED['P, late success'](), leaseExpiresAt: NOW, policy: 'take_over' as const };
		expect(told(before, decideClaim(before, claim({ policy: 'take_over' }), NOW))).toBe('needs_review → N late_success');
	});

	it('a lease is alive while now < leaseExpiresAt, and a retry waits while now < retryAt', () => {
		const leased = stored({ state: 'processing', leaseExpiresAt: NOW, policy: 'take_over' });
		const take = claim({ policy: 'take_over' });
		expect(decideClaim({ ...leased, leaseExpiresAt: NOW + 1 }, take, NOW).outcome).toBe('in_progress');
		expect(decideClaim(leased, take, NOW).outcome).toBe('claimed');
		expect(decideClaim(STORED['R waiting'](), take, NOW).outcome).toBe('in_progress');
		expect(decideClaim(STORED['R waiting'](), take, NOW + 1).outcome).toBe('claimed');
	});
});

describe('what a claim stores', () => {
	const given = claim({ policy: 'take_over', maxAttempts: 9, retentionSeconds: 7, fingerprint: 'f', fingerprintFields: 'g', correlationId: 'c' });

	it('first: attempt 1, token, lease, policy, max attempts, retention and fingerprint as given', () => {
		expect(decideClaim(null, given, NOW).record).toMatchObject({
			state: 'processing', attempt: 1, token: STRANGER, leaseExpiresAt: NOW + 60_000, policy: 'take_over', maxAttempts: 9,
			retentionSeconds: 7, fingerprint: 'f', fingerprintFields: 'g', correlationId: 'c', revision: 1, createdAt: NOW, updatedAt: NOW,
			unknownEarlier: false, expiresAt: null,
		});
	});

	it('take-over: attempt + 1, new token, takeovers + 1, unknownEarlier, lease and policy; attempts and retention stay', () => {
		const before = STORED['P over, take over']();
		expect(decideClaim(before, given, NOW).record).toMatchObject({
			attempt: 2, token: STRANGER, unknownEarlier: true, leaseExpiresAt: NOW + 60_000, policy: 'take_over', maxAttempts: 5,
			retentionSeconds: 3_600, revision: before.revision + 1, updatedAt: NOW, createdAt: before.createdAt,
			counters: { duplicates: 0, conflicts: 0, takeovers: 1, staleSeals: 0 },
		});
	});

	it('retry: attempt + 1, new token, the arriving policy, a new lease; attempts and retention stay', () => {
		const before = STORED['R due']();
		expect(decideClaim(before, given, NOW).record).toMatchObject({
			attempt: 2, token: STRANGER, unknownEarlier: false, policy: 'take_over', leaseExpiresAt: NOW + 60_000, retryAt: null,
			maxAttempts: 5, retentionSeconds: 3_600, sealedWord: null, revision: before.revision + 1,
		});
	});

	it('own: only the lease is renewed', () => {
		const before = STORED['P alive']();
		const { record } = decideClaim(before, { ...given, fingerprint: null, token: HOLDER }, NOW);
		expect(record).toEqual({ ...before, leaseExpiresAt: NOW + 60_000, revision: before.revision + 1, updatedAt: NOW });
	});

	it('review keeps the token and clears the lease', () => {
		expect(decideClaim(STORED['P over'](), given, NOW).record).toMatchObject({ token: HOLDER, attempt: 1, leaseExpiresAt: null, expiresAt: null });
	});

	it('a fingerprint is stored only at a claimed transition and never dropped', () => {
		expect(decideClaim(STORED['P alive'](), given, NOW).record?.fingerprint).toBeNull();
		expect(decideClaim(STORED['P over'](), given, NOW).record?.fingerprint).toBeNull();
		expect(decideClaim(STORED['R due'](), given, NOW).record).toMatchObject({ fingerprint: 'f', fingerprintFields: 'g' });
		const printed = { ...STORED['R due'](), fingerprint: 'f', fingerprintFields: 'g' };
		expect(decideClaim(printed, given, NOW).record).toMatchObject({ fingerprint: 'f', fingerprintFields: 'g' });
	});
});

describe('the fingerprint row comes before every other one', () => {
	const names = (Object.keys(STORED) as Stored[]).filter((name) => name !== 'none');
	const printed = { fingerprint: 'v1:a', fingerprintFields: '["x"]' };
	const variants: Array<[string, Partial<ClaimCommand>]> = [
		['payload_differs', { fingerprint: 'v1:b', fingerprintFields: '["x"]' }],
		['fields_differ', { fingerprint: 'v1:a', fingerprintFields: '["y"]' }],
		['fingerprint_missing', { fingerprint: null, fingerprintFields: null }],
	];

	it.each(names)('%s', (name) => {
		for (const token of [HOLDER, STRANGER]) {
			for (const [detail, changes] of variants) {
				const before = { ...STORED[name]()!, ...printed };
				const answer = decideClaim(before, claim({ policy: 'take_over', token, ...changes }), NOW);
				expect(told(before, answer)).toBe(`conflict ${detail} → conflicts + 1`);
			}
		}
	});
});

describe('what is over counts as none', () => {
	const states = ['processing', 'succeeded', 'retryable_failed', 'permanent_failed', 'needs_review'] as const;

	it.each(states)('%s', (state) => {
		const final = state === 'succeeded' || state === 'permanent_failed';
		const over = stored({ state, expiresAt: NOW, fingerprint: 'old', leaseExpiresAt: NOW + HOUR, retryAt: NOW + HOUR });
		// Only S and F expire; a manual run kept apart in every state.
		expect(decideClaim(over, claim(), NOW).outcome).toBe(final ? 'claimed' : 'conflict');
		expect(decideClaim({ ...over, expiresAt: NOW + 1 }, claim(), NOW).outcome).toBe('conflict');
		expect(decideClaim({ ...over, expiresAt: null }, claim(), NOW).outcome).toBe('conflict');
		expect(decideClaim({ ...over, ephemeral: true }, claim(), NOW).detail).toBe('first');
		expect(decideClaim({ ...over, ephemeral: true, expiresAt: NOW + 1 }, claim(), NOW).outcome).toBe('conflict');
	});

	it('and a fresh claim resets everything', () => {
		const over = stored({
			state: 'succeeded', expiresAt: NOW, attempt: 4, revision: 40, result: 1, externalId: 'x', unknownEarlier: true,
			counters: { duplicates: 1, conflicts: 1, takeovers: 1, staleSeals: 1 }, sealedWord: 'success', fingerprint: 'old',
		});
		expect(decideClaim(over, claim(), NOW).record).toEqual(decideClaim(null, claim(), NOW).record);
	});
});
