import { LedgerError } from './errors';

/** No wait is longer: a year, so that a broken Retry-After can't give a time no store can hold. */
export const LONGEST_DELAY_MS = 366 * 24 * 3600 * 1000;

export interface RetryDelay {
	/** the attempt that failed, from 1 */
	attempt: number;
	/** upper bound of the first wait */
	baseMs: number;
	/** upper bound of every wait */
	capMs: number;
	/** what the destination asked for, from now; null when it didn't */
	retryAfterMs: number | null;
	/** [0, 1) */
	random?: () => number;
}

/**
 * How long to wait after a failed attempt, whole ms: exponential back-off with full jitter, anything
 * from 0 to min(cap, base · 2^(attempt − 1)), so that clients which failed together don't come back
 * together. What the destination asks for is the least, even above the cap: it said that it won't
 * answer before.
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015; RFC 9110, 10.2.3.
 * @throws LedgerError INVALID_PARAMETER
 */
export function retryDelayMs({ attempt, baseMs, capMs, retryAfterMs, random = Math.random }: RetryDelay): number {
	for (const [label, value] of Object.entries({ 'Base Delay': baseMs, 'Delay Cap': capMs })) {
		if (!(value >= 0)) throw new LedgerError('INVALID_PARAMETER', `${label} must be 0 or more`);
	}
	if (!(attempt >= 1)) throw new LedgerError('INVALID_PARAMETER', 'The number of the attempt must be 1 or more');
	// 2^1023 is the largest power there is; 0 · Infinity would be NaN.
	const longest = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 1023));
	const jittered = random() * longest;
	const asked = retryAfterMs !== null && retryAfterMs > 0 ? retryAfterMs : 0;
	return Math.min(Math.ceil(Math.max(jittered, asked)), LONGEST_DELAY_MS);
}

/**
 * The most calls that one key can cause at the destination, as long as nobody decides by hand.
 * @param maxAttempts of the claim
 * @param triesPerAttempt Max Tries of the effect node when its Retry On Fail is on, else 1
 */
export function worstCaseCalls({ maxAttempts, triesPerAttempt }: { maxAttempts: number; triesPerAttempt: number }): number {
	return Math.max(1, Math.floor(maxAttempts)) * Math.max(1, Math.floor(triesPerAttempt));
}
