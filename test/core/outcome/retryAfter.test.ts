import { detectOutcome } from '../../../ledger/core/outcomeDetection';
import { retryAfterMs } from '../../../ledger/core/outcome/retryAfter';
import { LONGEST_DELAY_MS } from '../../../ledger/core/retryPolicy';

/** 2026-12-01 00:00:00 UTC by this machine. */
const NOW = Date.UTC(2026, 11, 1);
const EPOCH_SECONDS = NOW / 1000;
/** The server's clock is a minute ahead. */
const SERVER_DATE = 'Tue, 01 Dec 2026 00:01:00 GMT';

test.each<[string, Record<string, unknown>, number, number | null]>([
	['nothing', {}, 429, null],
	['seconds', { 'retry-after': '120' }, 503, 120_000],
	['a number', { 'retry-after': 120 }, 503, 120_000],
	['any letter case', { 'Retry-After': '5' }, 503, 5000],
	['a list', { 'retry-after': ['5', '9'] }, 503, 5000],
	['zero', { 'retry-after': '0' }, 503, 0],
	['milliseconds of some APIs', { 'retry-after-ms': '1500', 'retry-after': '2' }, 429, 1500],
	['a date, by the clock of the server', { 'retry-after': 'Tue, 01 Dec 2026 00:01:30 GMT', date: SERVER_DATE }, 503, 30_000],
	['a date without another', { 'retry-after': 'Tue, 01 Dec 2026 00:01:30 GMT' }, 503, 90_000],
	['a date in RFC 850 form', { 'retry-after': 'Tuesday, 01-Dec-26 00:01:30 GMT' }, 503, 90_000],
	['a date in asctime form', { 'retry-after': 'Tue Dec  1 00:01:30 2026' }, 503, 90_000],
	['a date that is over', { 'retry-after': 'Mon, 30 Nov 2026 00:00:00 GMT' }, 503, 0],
	['a text that is neither', { 'retry-after': 'soon' }, 503, null],
	['another kind of date', { 'retry-after': '2026-12-01' }, 503, null],
	['a negative number', { 'retry-after': '-5' }, 503, null],
	['an absurd number', { 'retry-after': '9999999999' }, 503, LONGEST_DELAY_MS],
	['a reset in seconds', { 'ratelimit-reset': '30' }, 429, 30_000],
	['a reset as epoch seconds', { 'x-ratelimit-reset': String(EPOCH_SECONDS + 90), date: SERVER_DATE }, 429, 30_000],
	['a reset as epoch milliseconds', { 'X-RateLimit-Reset': String(NOW + 90_000) }, 429, 90_000],
	['a reset with a fraction', { 'x-rate-limit-reset': '0.5' }, 429, 500],
	['Retry-After before a reset', { 'retry-after': '5', 'x-ratelimit-reset': '3600' }, 429, 5000],
	['a reset with nothing remaining', { 'x-ratelimit-reset': '30', 'x-ratelimit-remaining': '0' }, 403, 30_000],
	['a reset while there is quota left', { 'x-ratelimit-reset': '3000', 'x-ratelimit-remaining': '7' }, 500, null],
	['a reset after another failure', { 'x-ratelimit-reset': '3000' }, 500, null],
])('%s', (_name, headers, status, wait) => {
	expect(retryAfterMs(headers, status, NOW)).toBe(wait);
});

test('headers that can not be read ask for nothing', () => {
	const headers = new Proxy({}, { ownKeys() { throw new Error('no'); } });
	expect(retryAfterMs(headers, 429, NOW)).toBeNull();
	expect(retryAfterMs(null, 429, NOW)).toBeNull();
});

test.each<[string, unknown]>([
	['of a full response', { json: { statusCode: 429, headers: { 'retry-after': '7' }, body: {} } }],
	['of the response inside an error', { json: {}, error: { message: 'x', response: { status: 429, headers: { 'retry-after': '7' } } } }],
	['of an error of OpenAI', { json: { error: { status: 429, headers: { 'retry-after': '7' } } } }],
])('the wait %s', (_name, item) => {
	expect(detectOutcome(item as { json: unknown }, { now: NOW })).toMatchObject({ word: 'retryable', retryAfterMs: 7000 });
});

test('a success waits for nothing', () => {
	expect(detectOutcome({ json: { statusCode: 200, headers: { 'retry-after': '7' }, body: {} } }).retryAfterMs).toBeNull();
});
