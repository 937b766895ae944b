import fc from 'fast-check';

import { selectResult } from '../../ledger/core/storedResult';
import type { ResultSelection } from '../../ledger/core/storedResult';

const MAX_BYTES = 1000;
const whole = (json: unknown, more: Partial<ResultSelection> = {}) =>
	selectResult(json, { mode: 'whole', fields: [], maxBytes: MAX_BYTES, redact: true, ...more });
const chosen = (json: unknown, ...fields: string[]) => selectResult(json, { mode: 'fields', fields, maxBytes: MAX_BYTES, redact: true });

describe('What is stored', () => {
	const item = { id: 'ch_1', receipt: { url: 'https://x', lines: [{ sku: 'a' }, { sku: 'b' }] }, none: null, 'a.b': 1 };

	test('nothing', () => {
		expect(selectResult(item, { mode: 'none', fields: ['id'], maxBytes: MAX_BYTES, redact: true })).toEqual({ result: null, note: null });
		expect(chosen(item)).toEqual({ result: null, note: null });
	});

	test('the whole item', () => {
		expect(whole(item)).toEqual({ result: item, note: null });
	});

	test('the whole item but the own field of the node', () => {
		const sealed = { id: 1, idempotency: { token: 't' }, get broken() { throw new Error('x'); } };
		const rest = { result: { id: 1, broken: '[unreadable]' }, note: 'Replaced (unreadable): broken' };
		expect(whole(sealed, { except: 'idempotency' })).toEqual(rest);
		expect(sealed.idempotency).toEqual({ token: 't' });
		expect(whole({ id: 1 }, { except: 'idempotency' })).toEqual({ result: { id: 1 }, note: null });
		expect(whole('text', { except: 'idempotency' }).result).toBe('text');
	});

	test('selected fields, in the shape they had', () => {
		expect(chosen(item, 'id', 'receipt.url', 'none', 'a\\.b')).toEqual({
			result: { id: 'ch_1', receipt: { url: 'https://x' }, none: null, 'a.b': 1 },
			note: null,
		});
		expect(chosen(item, 'receipt.lines.1.sku').result).toEqual({ receipt: { lines: { 1: { sku: 'b' } } } });
	});

	test('a field and the object around it, in any order, without touching the item', () => {
		const frozen = { receipt: Object.freeze({ url: 'https://x', id: 1 }) };
		for (const fields of [['receipt.url', 'receipt', 'receipt.id'], ['receipt', 'receipt.url', 'receipt']]) {
			expect(chosen(frozen, ...fields)).toEqual({ result: frozen, note: null });
		}
	});

	test('what is missing is noted, and the rest is kept', () => {
		expect(chosen(item, 'id', 'nope', 'receipt.nope', 'a..b', 'toString')).toEqual({
			result: { id: 'ch_1' },
			note: expect.stringContaining('The item has no field nope, receipt.nope, a..b, toString'),
		});
	});

	test('a field called __proto__ stays a field', () => {
		const sly = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":1}}') as unknown;
		for (const { result } of [whole(sly), chosen(sly, '__proto__', 'a')]) {
			expect(JSON.stringify(result)).toBe('{"__proto__":{"admin":true},"a":{"__proto__":1}}');
			expect((result as { admin?: boolean }).admin).toBeUndefined();
		}
		expect(({} as { admin?: boolean }).admin).toBeUndefined();
	});
});

describe('A success is never lost over a value that can not be stored', () => {
	const circle: Record<string, unknown> = { id: 1 };
	circle.self = circle;
	let deep: unknown = 1;
	for (let i = 0; i < 10_000; i++) deep = [deep];
	const revoked = Proxy.revocable({}, {});
	revoked.revoke();

	test.each<[string, unknown, unknown, string | null]>([
		['a circle', circle, '[circular]', 'Replaced (circular): value.self'],
		['BigInt', 12345678901234567890n, '12345678901234567890', 'Replaced (BigInt): value'],
		['a function', () => 1, '[function]', 'Replaced (function): value'],
		['a symbol', Symbol('x'), '[symbol]', 'Replaced (symbol): value'],
		['NaN', NaN, 'NaN', 'Replaced (not a number): value'],
		['binary', Buffer.from('secret bytes'), '[binary, 12 bytes]', 'Replaced (binary): value'],
		['half a character', 'a\ud83d', 'a\ufffd', 'Replaced (half a character): value'],
		['a revoked proxy', revoked.proxy, '[unreadable]', 'Replaced (unreadable): value'],
		['a toJSON that throws', { toJSON() { throw new Error('x'); } }, '[unreadable]', 'Replaced (unreadable): value'],
		['a Date', new Date(0), '1970-01-01T00:00:00.000Z', null],
		['an invalid Date', new Date(NaN), null, null],
		['a Map', new Map<unknown, unknown>([['a', 1], [2, [3]]]), { a: 1, 2: [3] }, null],
		['a Set', new Set(['a']), ['a'], null],
		['an Error', new TypeError('x'), { name: 'TypeError', message: 'x' }, null],
	])('%s', (_name, value, stored, note) => {
		const expected = value === circle ? { id: 1, self: stored } : stored;
		expect(whole({ id: 1, value })).toEqual({ result: { id: 1, value: expected }, note });
		expect(chosen({ id: 1, value }, 'id', 'value')).toEqual({ result: { id: 1, value: expected }, note });
	});

	test('a getter that throws', () => {
		const json = { id: 1, get value() { throw new Error('x'); } };
		expect(whole(json)).toEqual({ result: { id: 1, value: '[unreadable]' }, note: 'Replaced (unreadable): value' });
		expect(chosen(json, 'id', 'value')).toEqual({ result: { id: 1 }, note: 'The item has no field value' });
	});

	test('half a character in a name', () => {
		expect(whole({ ['a\ud83d']: 1 }).result).toEqual({ 'a\ufffd': 1 });
	});

	test('the places after one that broke are named right', () => {
		const list = new Proxy([1], { get: (target, name) => { if (name === '0') throw new Error('x'); return Reflect.get(target, name) as unknown; } });
		expect(whole({ list, after: () => 1 }).note).toBe('Replaced (unreadable): list; Replaced (function): after');
	});

	test('nesting of 10,000 levels', () => {
		const { result, note } = whole({ id: 1, deep });
		expect(result).toMatchObject({ id: 1 });
		expect(note).toContain('Replaced (nested too deep): deep.0.0');
		expect(JSON.stringify(result)).toContain('[nested too deep]');
	});

	test('undefined is absent in objects and null in lists, as in JSON', () => {
		expect(whole({ a: undefined, b: [undefined, ...Array<unknown>(1), 1] }).result).toEqual({ b: [null, null, 1] });
	});

	test('an item that is none', () => {
		for (const json of [undefined, null, 'text', 7, revoked.proxy]) {
			expect(() => whole(json)).not.toThrow();
			expect(() => chosen(json, 'id')).not.toThrow();
		}
	});

	test('the note names five places of a kind', () => {
		expect(whole(Object.fromEntries('abcdefgh'.split('').map((name) => [name, () => 1]))).note).toBe('Replaced (function): a, b, c, d, e and 3 more');
	});
});

describe('A result above the size cap', () => {
	test('becomes a marker that says how large it was', () => {
		const { result, note } = whole({ text: 'é'.repeat(600) });
		expect(result).toEqual({ truncated: true, bytes: 1211, maxBytes: MAX_BYTES });
		expect(note).toBe('The result was not stored: it has 1211 bytes, and at most 1000 are kept');
	});

	test('is measured in bytes, to the byte', () => {
		const fits = { text: 'x'.repeat(MAX_BYTES - '{"text":""}'.length) };
		expect(whole(fits).result).toEqual(fits);
		expect(whole({ text: `${fits.text}x` }).result).toMatchObject({ truncated: true, bytes: MAX_BYTES + 1 });
	});

	test('that unfolds without end is given up early', () => {
		let unfolding: unknown = ['x'.repeat(100)];
		for (let i = 0; i < 60; i++) unfolding = [unfolding, unfolding];
		const { result, note } = whole({ unfolding });
		expect(result).toEqual({ truncated: true, bytes: null, maxBytes: MAX_BYTES });
		expect(note).toContain('more than 16777216 bytes');
	});
});

describe('Secrets', () => {
	const names = [
		'authorization', 'Authorization', 'Proxy-Authorization', 'cookie', 'Set-Cookie', 'token', 'tokens', 'access_token', 'accessToken',
		'refresh-token', 'id_token', 'X-Auth-Token', 'csrfToken', 'secret', 'client_secret', 'clientSecret', 'AWS_SECRET_ACCESS_KEY', 'password',
		'db.password', 'passwd', 'pwd', 'passphrase', 'api key', 'apiKey', 'api_key', 'API-KEY', 'x-api-key', 'privateKey', 'private_key', 'PRIVATE KEY',
		'credentials', 'session_id',
	];
	test.each(names)('%s', (name) => {
		const { result, note } = whole({ list: [{ [name]: 'hunter2' }], [name]: { inner: 'hunter2' } });
		expect(JSON.stringify(result)).not.toContain('hunter2');
		expect(result).toEqual({ list: [{ [name]: '[redacted]' }], [name]: '[redacted]' });
		expect(note).toMatch(/^Replaced \(secret\): list\.0\./);
	});

	test.each(['id', 'key', 'idempotencyKey', 'keyboard', 'nextPageToken', 'max_tokens', 'total_tokens', 'secretary', 'passenger', 'tokenization', 'author', 'compass', 'authorized', 'passed'])(
		'%s is none',
		(name) => {
			expect(whole({ [name]: 'v' })).toEqual({ result: { [name]: 'v' }, note: null });
		},
	);

	test('yes, no and nothing are none', () => {
		expect(whole({ password: true, token: false, secret: null })).toEqual({ result: { password: true, token: false, secret: null }, note: null });
	});

	test('are found in selected fields and in a Map', () => {
		expect(chosen({ auth: { token: 'hunter2', user: 'u' } }, 'auth.token', 'auth.user').result).toEqual({ auth: '[redacted]' });
		expect(whole({ headers: new Map([['Cookie', 'hunter2']]) }).result).toEqual({ headers: { Cookie: '[redacted]' } });
	});

	test('stay where redaction is off', () => {
		expect(whole({ token: 'hunter2' }, { redact: false })).toEqual({ result: { token: 'hunter2' }, note: null });
	});
});

test('whatever the item holds, the result is JSON within the cap, and JSON itself is kept as it is', () => {
	const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true, withNullPrototype: true, withObjectString: true });
	fc.assert(
		fc.property(anything, fc.integer({ min: 60, max: 500 }), (value, maxBytes) => {
			const { result } = whole({ value }, { maxBytes, redact: false });
			const text = JSON.stringify(result);
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
			expect(text).not.toMatch(/\p{Surrogate}/u);
			expect(JSON.stringify(JSON.parse(text))).toBe(text);
		}),
		{ numRuns: 1000 },
	);
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(whole({ value }, { maxBytes: 1e6, redact: false })).toEqual({ result: JSON.parse(JSON.stringify({ value })), note: null });
		}),
		{ numRuns: 1000, examples: [[-0]] },
	);
});
