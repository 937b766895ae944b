import { LONGEST_DELAY_MS } from '../retryPolicy';

/**
 * How long the destination asks to wait, ms from now; null when it doesn't, or not in a way that can be
 * read. `Retry-After` (RFC 9110, 10.2.3: seconds, or a date, taken relative to the answer's own `Date`,
 * so that clocks needn't agree) and the `retry-after-ms` of some APIs; after a 429, or with nothing
 * remaining, also the reset of the usual rate limit headers. Without one of these signs a reset is only
 * when a quota would be full again, up to an hour off.
 * @param now epoch ms
 */
export function retryAfterMs(headers: Record<string, unknown> | null, status: number | null, now: number): number | null {
	if (headers === null) return null;
	const read = headerReader(headers);
	const answeredAt = httpDate(read('date')) ?? now;
	const exact = seconds(read('retry-after-ms'));
	if (exact !== null) return bounded(exact);
	const asked = read('retry-after');
	const wait = seconds(asked);
	if (wait !== null) return bounded(wait * 1000);
	const until = httpDate(asked);
	if (until !== null) return bounded(until - answeredAt);

	const used = status === 429 || RATE_LIMITS.some((prefix) => seconds(read(`${prefix}-remaining`)) === 0);
	if (!used) return null;
	for (const prefix of RATE_LIMITS) {
		const reset = seconds(read(`${prefix}-reset`));
		if (reset !== null) return bounded(untilReset(reset, answeredAt));
	}
	return null;
}

const RATE_LIMITS = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/** Epoch ms, epoch seconds or seconds from now: a number of 2001 or later is a time, none waits that long. */
function untilReset(reset: number, answeredAt: number): number {
	if (reset >= 1e12) return reset - answeredAt;
	return reset >= 1e9 ? reset * 1000 - answeredAt : reset * 1000;
}

/** Header names in any letter case; a list stands for its first value. */
function headerReader(headers: Record<string, unknown>): (name: string) => string | null {
	const byName = new Map<string, string>();
	try {
		for (const [name, value] of Object.entries(headers)) {
			const first: unknown = Array.isArray(value) ? value[0] : value;
			if (typeof first === 'string' || typeof first === 'number') byName.set(name.toLowerCase(), String(first).trim());
		}
	} catch {
		// Headers that can't be read ask for nothing.
	}
	return (name) => byName.get(name) ?? null;
}

function seconds(text: string | null): number | null {
	return text !== null && /^\d{1,16}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

/** The three forms of RFC 9110, 5.6.7, all of them in GMT; nothing else that Date.parse would take. */
function httpDate(text: string | null): number | null {
	if (text === null || !/^(?:[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/.test(text)) return null;
	const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
	return Number.isNaN(at) ? null : at;
}

function bounded(ms: number): number {
	return Math.ceil(Math.min(Math.max(ms, 0), LONGEST_DELAY_MS));
}
