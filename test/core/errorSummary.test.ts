import fc from 'fast-check';

import { summarizeError } from '../../ledger/core/errorSummary';

const message = (error: unknown) => summarizeError(error).message;

describe('An error as the ledger keeps it', () => {
	test.each<[string, unknown, unknown]>([
		['an Error', new Error('no such card'), { code: null, httpStatus: null, message: 'no such card' }],
		['a system error', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), { code: 'ECONNRESET', httpStatus: null, message: 'socket hang up' }],
		['of HTTP', { message: '422 - "x"', code: 'ERR_BAD_REQUEST', status: 422 }, { code: 'ERR_BAD_REQUEST', httpStatus: 422, message: '422 - "x"' }],
		['status as text', { message: 'x', httpCode: '404' }, { code: null, httpStatus: 404, message: 'x' }],
		['of a mail server', { message: 'x', code: 'EAUTH', responseCode: 535, command: 'AUTH' }, { code: 'EAUTH', httpStatus: null, message: 'x' }],
		['a number as code', { message: 'x', code: 30007 }, { code: '30007', httpStatus: null, message: 'x' }],
		['a text', 'failed', { code: null, httpStatus: null, message: 'failed' }],
		['a message inside', { cause: { message: 'inner', code: 'E1' } }, { code: 'E1', httpStatus: null, message: 'inner' }],
		['a code that is a sentence', { message: 'x', code: 'The card was declined' }, { code: null, httpStatus: null, message: 'x' }],
	])('%s', (_name, error, stored) => {
		expect(summarizeError(error)).toEqual(stored);
	});

	test.each([undefined, null, {}, [], true, 7, '', ' ', { message: '' }, Object.create(null), Symbol('x'), () => 1])('%p has no message', (error) => {
		expect(summarizeError(error)).toEqual({ code: null, httpStatus: null, message: 'The error has no message' });
	});

	test('is one line of at most 500 characters, and no half character', () => {
		expect(message('a\n\tb  c')).toBe('a b c');
		expect(message('x'.repeat(500))).toBe('x'.repeat(500));
		expect(message('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
		const cut = message(`${'x'.repeat(498)}💳💳`);
		expect(cut).toBe(`${'x'.repeat(498)}…`);
	});
});

describe('Secrets in a message are redacted', () => {
	test.each<[string, string]>([
		['connect to postgres://ledger:hunter2@db:5432/x failed', 'connect to postgres://[redacted]@db:5432/x failed'],
		['https://hunter2@host/path', 'https://[redacted]@host/path'],
		['GET https://api.test/x?id=7&token=hunter2&page=2 failed', 'GET https://api.test/x?id=7&token=[redacted]&page=2 failed'],
		['https://api.test/x?access_token=hunter2', 'https://api.test/x?access_token=[redacted]'],
		['https://api.test/x?API-Key=hunter2#top', 'https://api.test/x?API-Key=[redacted]'],
		['Authorization: Bearer hunter2hunter2', 'Authorization: [redacted]'],
		['authorization: basic aHVudGVyMg==', 'authorization: [redacted]'],
		['sent Bearer hunter2hunter2 and failed', 'sent Bearer [redacted] and failed'],
		['{"password":"hunter2 with \\" quote","user":"u"}', '{"password":"[redacted]","user":"u"}'],
		["{ client_secret: 'hunter2' }", "{ client_secret: '[redacted]' }"],
		['password=hunter2 user=u', 'password=[redacted] user=u'],
		['Incorrect API key provided: sk-proj-hunter2hunter2', 'Incorrect API key provided: [redacted]'],
		['api key: hunter2', 'api key: [redacted]'],
		['bad JWT eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.hunter2_sig', 'bad JWT [redacted]'],
	])('%s', (text, redacted) => {
		expect(message(text)).toBe(redacted);
		expect(message({ message: text })).toBe(redacted);
		expect(message(text)).not.toContain('hunter2');
	});

	test.each([
		'connect ECONNREFUSED 127.0.0.1:5432',
		'mail to jane@example.com was refused: 550 5.1.1',
		'see https://docs.test/a?b=c for more: it explains it',
		'token expired',
		'Bad request - please check your parameters',
		'max_tokens: 100',
	])('%s stays', (text) => {
		expect(message(text)).toBe(text);
	});
});

test('nothing makes it throw, and the message is always a short text', () => {
	fc.assert(
		fc.property(fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }), (value) => {
			for (const error of [value, { message: value, code: value, cause: value, messages: value }]) {
				const stored = summarizeError(error);
				expect(stored.message.length).toBeGreaterThan(0);
				expect(stored.message.length).toBeLessThanOrEqual(500);
			}
		}),
		{ numRuns: 1000 },
	);
});

test('a long message of nothing but separators takes no time', () => {
	const started = performance.now();
	for (const text of ['a'.repeat(200_000), 'a.'.repeat(100_000), '://'.repeat(60_000), '"a":"'.repeat(40_000), `${'eyJ'.repeat(60_000)}`, 'bearer '.repeat(30_000), 'a= '.repeat(60_000)]) message(text);
	expect(performance.now() - started).toBeLessThan(2000);
});
