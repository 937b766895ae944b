import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';

import { isLedgerError } from '../../ledger/core/errors';
import { fingerprintOf, WHOLE_ITEM } from '../../ledger/core/fingerprint';
import type { FingerprintSelection } from '../../ledger/core/fingerprint';

const whole = (item: unknown) => fingerprintOf(item, { wholeItem: true }).fingerprint;
const of = (item: unknown, ...fields: string[]) => fingerprintOf(item, { fields }).fingerprint;

function refusal(item: unknown, selection: FingerprintSelection = { wholeItem: true }): string {
	try {
		return `accepted: ${fingerprintOf(item, selection).fingerprint}`;
	} catch (error) {
		return isLedgerError(error) ? `${error.code}: ${error.message}` : `not a ledger error: ${String(error)}`;
	}
}

describe('A fingerprint', () => {
	test('is the SHA-256 of the canonical JSON, with the version before it', () => {
		const canonical = '{"amount":10,"customer.id":"é"}';
		const hex = createHash('sha256').update(canonical).digest('hex');
		const item = { customer: { id: 'é', name: 'x' }, amount: 10.0 };
		expect(fingerprintOf(item, { fields: ['customer.id', 'amount'] })).toEqual({
			fingerprint: `v1:${hex}`,
			fingerprintFields: '["amount","customer.id"]',
		});
		expect(fingerprintOf({ b: [1e2, true], a: null }, { wholeItem: true })).toEqual({
			fingerprint: `v1:${createHash('sha256').update('{"a":null,"b":[100,true]}').digest('hex')}`,
			fingerprintFields: WHOLE_ITEM,
		});
	});

	test('of fields looks at nothing else', () => {
		expect(of({ a: 1, noise: 'x' }, 'a')).toBe(of({ a: 1, other: 'y' }, 'a'));
	});

	test('does not depend on the order or repetition of the fields', () => {
		const item = { a: 1, b: { c: 2 } };
		expect(fingerprintOf(item, { fields: ['b.c', 'a', 'b.c'] })).toEqual(fingerprintOf(item, { fields: ['a', 'b.c'] }));
	});

	test('of the whole item leaves the own field of the node out, and only that', () => {
		expect(whole({ a: 1, idempotency: { token: 'x' } })).toBe(whole({ a: 1 }));
		expect(whole({ a: 1, b: { idempotency: 1 } })).not.toBe(whole({ a: 1, b: {} }));
		const named = { wholeItem: true as const, except: 'ledger' };
		expect(fingerprintOf({ a: 1, ledger: 1 }, named)).toEqual(fingerprintOf({ a: 1 }, named));
		expect(fingerprintOf({ a: 1, idempotency: 1 }, named)).not.toEqual(fingerprintOf({ a: 1 }, named));
	});

	test('leaves the item as it was', () => {
		const item = Object.freeze({ a: Object.freeze({ b: 1 }), idempotency: 1 });
		whole(item);
		expect(item).toEqual({ a: { b: 1 }, idempotency: 1 });
	});
});

describe('Same payload, same fingerprint', () => {
	test.each<[string, unknown, unknown]>([
		['property order', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
		['negative zero', { a: -0 }, { a: 0 }],
		['1.0 and 1', { a: 1.0 }, { a: 1 }],
		['an undefined property, which n8n does not store', { a: 1, b: undefined }, { a: 1 }],
		['a Date, which n8n stores as text', { a: new Date(0) }, { a: '1970-01-01T00:00:00.000Z' }],
		['a Buffer, as n8n stores it', { a: Buffer.from('x') }, { a: { type: 'Buffer', data: [120] } }],
		['an object without a prototype', { a: Object.assign(Object.create(null) as object, { b: 1 }) }, { a: { b: 1 } }],
	])('%s', (_name, one, other) => {
		expect(whole(one)).toBe(whole(other));
	});

	test('whatever the order in which properties came', () => {
		const shuffled = fc.jsonValue().chain((value) => fc.tuple(fc.constant(value), fc.infiniteStream(fc.nat(1000))));
		fc.assert(
			fc.property(shuffled, ([value, numbers]) => {
				const reorder = (one: unknown): unknown => {
					if (Array.isArray(one)) return one.map(reorder);
					if (one === null || typeof one !== 'object') return one;
					const entries = Object.entries(one).map(([name, inner]) => [name, reorder(inner)] as const);
					const mixed = entries.map((entry) => ({ entry, at: numbers.next().value as number })).sort((x, y) => x.at - y.at);
					return Object.fromEntries(mixed.map(({ entry }) => entry));
				};
				const said = refusal({ value });
				fc.pre(said.startsWith('accepted'));
				expect(refusal({ value: reorder(value) })).toBe(said);
				expect(refusal(JSON.parse(JSON.stringify({ value })))).toBe(said);
			}),
		);
	});
});

describe('Another payload, another fingerprint', () => {
	test.each<[string, unknown, unknown]>([
		['number and text', { a: 42 }, { a: '42' }],
		['null and absent', { a: null }, {}],
		['null and the text null', { a: null }, { a: 'null' }],
		['order in a list', { a: [1, 2] }, { a: [2, 1] }],
		['list and object', { a: [1] }, { a: { 0: 1 } }],
		['empty list and empty object', { a: [] }, { a: {} }],
		['letter case of a name', { a: 1 }, { A: 1 }],
		['letter case of a value', { a: 'x' }, { a: 'X' }],
		['NFC and NFD, since RFC 8785 changes no text', { a: '\u00e9' }, { a: 'e\u0301' }],
		['__proto__ as a field', JSON.parse('{"__proto__":1}'), {}],
		['what __proto__ holds', JSON.parse('{"a":{"__proto__":{"b":1}}}'), JSON.parse('{"a":{"__proto__":{"b":2}}}')],
		['the largest exact integers', { a: 2 ** 53 - 1 }, { a: 2 ** 53 - 2 }],
		['small fractions', { a: 0.1 }, { a: 0.10000000000000002 }],
	])('%s', (_name, one, other) => {
		expect(whole(one)).not.toBe(whole(other));
	});

	test('the same values under other names, and nesting against dotted names', () => {
		expect(of({ a: 1, b: 2 }, 'a', 'b')).not.toBe(of({ a: 2, b: 1 }, 'a', 'b'));
		expect(of({ 'a.b': 1 }, 'a\\.b')).not.toBe(of({ a: { b: 1 } }, 'a.b'));
	});

	test('for any two JSON values', () => {
		const alike = fc.constantFrom<unknown>(null, 0, '0', false, '', [], {}, [0], { 0: 0 }, { a: 0, b: 1 }, { b: 1, a: 0 }, { a: {} }, { a: [] }, { a: null }, [[]], [null]);
		const value = fc.oneof(alike, fc.jsonValue());
		fc.assert(
			fc.property(value, value, (one, other) => {
				const [left, right] = [refusal({ one }), refusal({ one: other })];
				fc.pre(left.startsWith('accepted') && right.startsWith('accepted'));
				const [first, second] = [one, other].map((each) => JSON.parse(JSON.stringify(each)) as unknown);
				expect(left === right).toBe(isDeepStrictEqual(first, second));
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('A field that is not there is an error, not an absent value', () => {
	const item = { amount: 10, customer: { id: 7 }, lost: undefined };
	test.each([
		['Amount', 'The item has no field Amount; there is amount'],
		['customer.ID', 'The item has no field customer.ID; there is customer.id'],
		['lost', 'The item has no field lost; there is'],
		['toString', 'The item has no field toString'],
		['customer.constructor', 'The item has no field customer.constructor'],
		['amount.cents', 'The item has no field amount.cents'],
	])('%s', (field, message) => {
		expect(refusal(item, { fields: ['amount', field] })).toContain(`INVALID_FINGERPRINT: ${message}`);
	});

	test.each([[[]], [['']], [['a..b']], [[' ']], [[7 as unknown as string]]])('%j names no field', (fields) => {
		expect(refusal(item, { fields })).toContain('INVALID_FINGERPRINT: Fields That Must Not Change');
	});

	test.each([null, undefined, 'text', [1], 7])('%j is no item', (one) => {
		expect(refusal(one)).toBe('INVALID_FINGERPRINT: The item holds no JSON object');
		expect(refusal(one, { fields: ['a'] })).toBe('INVALID_FINGERPRINT: The item holds no JSON object');
	});
});

describe('What JSON can not hold exactly is refused, and the place is named', () => {
	const circle: Record<string, unknown> = {};
	circle.self = { circle };
	class Money {
		cents = 1;
	}
	test.each<[string, unknown, string]>([
		['NaN', NaN, 'is NaN'],
		['Infinity', Infinity, 'is Infinity'],
		['2^53', 2 ** 53, 'beyond 2^53'],
		['-2^53 - 2', -(2 ** 53) - 2, 'beyond 2^53'],
		['BigInt', 1n, 'is a BigInt'],
		['function', () => 1, 'is a function'],
		['symbol', Symbol('x'), 'is a symbol'],
		['half a character', '\ud83d', 'half a character'],
		['invalid date', new Date(NaN), 'without a JSON value'],
		['Map', new Map([[1, 2]]), 'is a Map'],
		['Set', new Set([1]), 'is a Set'],
		['Error', new Error('x'), 'is a Error'],
		['an instance', new Money(), 'is a Money'],
		['a regular expression', /x/, 'is a RegExp'],
		['a circle', circle, 'contains itself'],
		['a getter that throws', { get broken() { throw new Error('secret'); } }, 'throws when it is read'],
		['a toJSON that throws', { toJSON() { throw new Error('secret'); } }, 'throws when it is read'],
	])('%s', (_name, value, message) => {
		for (const said of [refusal({ a: { b: value } }), refusal({ a: { b: value } }, { fields: ['a'] })]) {
			expect(said).toContain('INVALID_FINGERPRINT: ');
			expect(said).toContain(message);
			expect(said).not.toContain('secret');
		}
	});

	test('the place', () => {
		expect(refusal({ a: [{ 'b.c': NaN }] })).toBe('INVALID_FINGERPRINT: Field a.0.b\\.c is NaN');
		expect(refusal({ a: { b: [1, undefined] } }, { fields: ['a.b'] })).toBe('INVALID_FINGERPRINT: Field a.b.1 is undefined');
		expect(refusal({ a: new Array(2) })).toBe('INVALID_FINGERPRINT: Field a.0 is undefined');
		expect(refusal({ ['\ud83d']: 1 })).toContain('field name with half a character');
	});

	test('nesting of 10,000 levels, quickly and without a stack overflow', () => {
		let deep: unknown = 1;
		for (let i = 0; i < 10_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
		expect(refusal({ deep })).toBe('INVALID_FINGERPRINT: Field deep.a.0 is nested deeper than 500 levels');
	});

	test('nesting that is allowed works', () => {
		let deep: unknown = 1;
		for (let i = 0; i < 499; i++) deep = [deep];
		expect(refusal({ deep })).toContain('accepted');
	});

	test('an item of too many values or characters, also one that unfolds', () => {
		let unfolding: unknown = [1];
		for (let i = 0; i < 30; i++) unfolding = [unfolding, unfolding];
		expect(refusal({ unfolding })).toContain('holds more than 1000000 values');
		expect(refusal({ text: 'x'.repeat(10 * 1024 * 1024) })).toContain('more than 10485760');
	});
});
