import fc from 'fast-check';

import { LONGEST_DELAY_MS, retryDelayMs, worstCaseCalls } from '../../ledger/core/retryPolicy';

const most = () => 1 - Number.EPSILON;
const delay = (attempt: number, more: Partial<Parameters<typeof retryDelayMs>[0]> = {}) =>
	retryDelayMs({ attempt, baseMs: 1000, capMs: 60_000, retryAfterMs: null, random: most, ...more });

describe('The wait before the next attempt', () => {
	test('doubles its bound with every attempt, up to the cap', () => {
		expect([1, 2, 3, 4, 5, 6, 7, 8, 2000].map((attempt) => delay(attempt))).toEqual([
			1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000,
		]);
	});

	test('is any part of the bound: full jitter', () => {
		expect(delay(3, { random: () => 0 })).toBe(0);
		expect(delay(3, { random: () => 0.5 })).toBe(2000);
	});

	test('is what the destination asks for at least, also above the cap', () => {
		expect(delay(1, { retryAfterMs: 3_600_000 })).toBe(3_600_000);
		expect(delay(4, { retryAfterMs: 3000 })).toBe(8000);
		expect(delay(4, { retryAfterMs: 3000, random: () => 0 })).toBe(3000);
		expect(delay(1, { retryAfterMs: 0, random: () => 0 })).toBe(0);
		expect(delay(1, { retryAfterMs: -5 })).toBe(1000);
		expect(delay(1, { retryAfterMs: NaN })).toBe(1000);
	});

	test('is nothing when base or cap are', () => {
		expect(delay(2000, { baseMs: 0 })).toBe(0);
		expect(delay(3, { capMs: 0 })).toBe(0);
	});

	test('is a whole number of milliseconds within bounds, whatever comes', () => {
		const ms = fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true });
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(fc.integer({ min: 1 }), ms, ms, fc.option(ms), random, (attempt, baseMs, capMs, retryAfterMs, drawn) => {
				const wait = retryDelayMs({ attempt, baseMs, capMs, retryAfterMs, random: () => drawn });
				expect(Number.isInteger(wait)).toBe(true);
				expect(wait).toBeLessThanOrEqual(Math.min(LONGEST_DELAY_MS, Math.ceil(Math.max(capMs, retryAfterMs ?? 0))));
				expect(wait).toBeGreaterThanOrEqual(Math.min(LONGEST_DELAY_MS, retryAfterMs ?? 0));
			}),
		);
	});

	test('is random by itself', () => {
		const waits = Array.from({ length: 50 }, () => retryDelayMs({ attempt: 5, baseMs: 100_000, capMs: 1e9, retryAfterMs: null }));
		expect(new Set(waits).size).toBeGreaterThan(10);
	});

	test.each([[0, {}], [NaN, {}], [1, { baseMs: -1 }], [1, { baseMs: NaN }], [1, { capMs: -1 }], [1, { capMs: NaN }]])(
		'refuses attempt %d with %j',
		(attempt, more) => {
			expect(() => delay(attempt, more)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER' }));
		},
	);
});

test('the most calls that one key can cause', () => {
	expect(worstCaseCalls({ maxAttempts: 5, triesPerAttempt: 1 })).toBe(5);
	expect(worstCaseCalls({ maxAttempts: 5, triesPerAttempt: 3 })).toBe(15);
	expect(worstCaseCalls({ maxAttempts: 1, triesPerAttempt: 0 })).toBe(1);
});
