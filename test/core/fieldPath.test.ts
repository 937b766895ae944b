import fc from 'fast-check';

import { formatFieldPath, nearbyFields, parseFieldPath, readField } from '../../ledger/core/fieldPath';

describe('A path names one place', () => {
	test.each([
		['a', ['a']],
		['a.b', ['a', 'b']],
		['lines.0.sku', ['lines', '0', 'sku']],
		['a\\.b', ['a.b']],
		['a\\\\.b', ['a\\', 'b']],
		['a\\b', ['a\\b']],
		['__proto__.x', ['__proto__', 'x']],
		[' a ', [' a ']],
	])('%s', (text, path) => {
		expect(parseFieldPath(text)).toEqual(path);
	});

	test.each(['', '.', 'a.', '.a', 'a..b'])('"%s" is none', (text) => {
		expect(parseFieldPath(text)).toBeNull();
	});

	test('its text gives the path back', () => {
		const name = fc.string({ unit: fc.constantFrom('a', '.', '\\', '0', 'é'), minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (path) => {
				expect(parseFieldPath(formatFieldPath(path))).toEqual(path);
			}),
		);
	});
});

describe('Only own properties are followed', () => {
	const item = {
		a: { b: 0, none: null, lost: undefined },
		'a.b': 'dotted',
		list: [{ x: 1 }],
		text: 'abc',
		['__proto__']: { own: 1 },
	};

	test.each([
		['a.b', 0],
		['a\\.b', 'dotted'],
		['a.none', null],
		['list.0.x', 1],
		['__proto__.own', 1],
	])('%s is there', (path, value) => {
		expect(readField(item, parseFieldPath(path)!)).toEqual({ found: true, value });
	});

	test.each([
		'b', 'a.lost', 'toString', 'constructor', 'a.constructor', 'a.__proto__', 'list.length', 'list.map', 'list.00', 'list.1',
		'text.length', 'text.0', 'a.none.x', 'list.-1',
	])('%s is not', (path) => {
		expect(readField(item, parseFieldPath(path)!).found).toBe(false);
	});
});

describe('What a person may have meant', () => {
	const item = { amount: 1, currency: 'EUR', customer: { email_address: 'x', id: 1 }, 'a.b': 1 };
	test.each([
		['Amount', ['amount']],
		['amont', ['amount']],
		['$json.amount', ['amount']],
		['customer.emailAddress', ['customer.email_address']],
		['customer.email', ['customer.email_address']],
		['a.b', ['a\\.b']],
		['zzz', ['amount', 'currency', 'customer', 'a\\.b']],
		['amount.x', []],
	])('%s', (text, names) => {
		const path = parseFieldPath(text)!;
		const read = readField(item, path);
		expect(read.found ? 'found' : nearbyFields(path, read)).toEqual(names);
	});
});
