import fc from 'fast-check';

import { isLedgerError } from '../../ledger/core/errors';
import { deriveKey, KEY_DERIVATION, LONGEST_BUSINESS_ID, LONGEST_KEY, LONGEST_OPERATION, LONGEST_SCOPE, LONGEST_VERSION, parseKey } from '../../ledger/core/key';
import type { KeyInput } from '../../ledger/core/key';

const plain = { trim: false, lowerCase: false, hashBusinessId: false, hashSecret: null, ephemeral: false };

function derive(input: Partial<KeyInput> = {}) {
	return deriveKey({ operation: 'charge', businessId: 'A-42', ...plain, ...input });
}

function refusal(input: Partial<KeyInput>): string {
	try {
		return `accepted as ${derive(input).key}`;
	} catch (error) {
		return isLedgerError(error) ? `${error.code}: ${error.message}` : `not a ledger error: ${String(error)}`;
	}
}

describe(`Key derivation ${KEY_DERIVATION}, by example`, () => {
	// Changed lines here mean that every record made before is forgotten: a new version, and a migration.
	test.each<[string, Partial<KeyInput>]>([
		['charge:A-42', {}],
		['charge:42', { businessId: 42 }],
		['charge:42', { businessId: '42' }],
		['charge:42', { businessId: 42n }],
		['charge:0', { businessId: -0 }],
		['charge:0.1', { businessId: 0.1 }],
		['charge@acme:A-42', { scope: 'acme' }],
		['charge@7:A-42', { scope: 7 }],
		['charge:A-42#2', { version: 2 }],
		['charge@acme:A-42#v2', { scope: 'acme', version: 'v2' }],
		['charge~test:A-42', { ephemeral: true }],
		['charge~test@acme:A-42', { ephemeral: true, scope: 'acme' }],
		['charge:a%25b%3Ac%40d%23e%7Ef', { businessId: 'a%b:c@d#e~f' }],
		['charge:a%20b%0A%00', { businessId: 'a b\n\0' }],
		['charge:%C3%A9', { businessId: 'e\u0301' }],
		['charge:%C3%A9', { businessId: '\u00e9' }],
		['charge:%F0%9F%92%B3', { businessId: '💳' }],
		['charge:%20A-42%20', { businessId: ' A-42 ' }],
		['charge:A-42', { businessId: '\t A-42 \n', trim: true }],
		['charge:a-42', { lowerCase: true }],
		['charge:__proto__', { businessId: '__proto__' }],
		['create%20contact:A-42', { operation: 'create contact' }],
		['charge:~sha256-219c541254e6c4224cb43988a1c3075b2a5a774c67594e8e28a8cbf54883a6fb', { hashBusinessId: true }],
		['charge:~sha256-47d55ec2521dd4db6e24de519c4843a47ae2d0dcdccffe4d9a4fc1bb17832766', { hashBusinessId: true, hashSecret: 's3cret' }],
		['charge:~sha256-0d4e2ca9e9cbced7a7a5380eb29e1a3783b9b6d0db72de36a1051038e1c1fbc7', { businessId: 'x'.repeat(300) }],
	])('%s', (key, input) => {
		expect(derive(input).key).toBe(key);
	});
});

describe('What tells no two items apart is refused as a business ID', () => {
	test.each<[string, unknown, string]>([
		['nothing', undefined, 'Business ID is missing'],
		['null', null, 'Business ID is missing'],
		['empty', '', 'Business ID is empty'],
		['whitespace', ' \t\n\u00a0', 'Business ID is blank'],
		['zero-width signs', '\u200b\ufeff', 'Business ID is blank'],
		['NaN', NaN, 'Business ID is NaN'],
		['Infinity', -Infinity, 'Business ID is -Infinity'],
		['a number beyond 2^53', 2 ** 53, 'beyond 2^53'],
		['a large float', 1e21, 'beyond 2^53'],
		['a boolean', true, 'Business ID is a boolean'],
		['an object', { id: 1 }, 'Business ID is an object'],
		['a list', ['A-42'], 'Business ID is a list'],
		['a function', () => 1, 'Business ID is a function'],
		['half a character', 'A\ud83d', 'half a character'],
		['half a character, the other one', '\udc00A', 'half a character'],
		['text of a missing value', 'undefined', 'holds the text undefined'],
		['text of null', ' null ', 'holds the text null'],
		['text of NaN', 'NaN', 'holds the text NaN'],
		['text of an object', 'order-[object Object]', 'holds the text [object Object]'],
		['a whole document', 'x'.repeat(LONGEST_BUSINESS_ID + 1), 'has 16385 characters'],
	])('%s', (_name, businessId, message) => {
		const said = refusal({ businessId });
		expect(said).toMatch(/^INVALID_BUSINESS_ID: /);
		expect(said).toContain(message);
	});

	test('whitespace is blank with Trim too, and hashing hides no mistake', () => {
		expect(refusal({ businessId: '  ', trim: true })).toContain('INVALID_BUSINESS_ID');
		expect(refusal({ businessId: '', hashBusinessId: true })).toContain('INVALID_BUSINESS_ID');
	});

	test('the value itself, which may be personal data, is not in the message', () => {
		expect(refusal({ businessId: 'jane@example.com\ud83d' })).not.toContain('jane');
		expect(refusal({ scope: 'jane@example.com'.repeat(10) })).not.toContain('jane');
	});
});

describe('Operation, scope and version', () => {
	test.each<[string, Partial<KeyInput>]>([
		['INVALID_OPERATION: Operation is missing', { operation: undefined }],
		['INVALID_OPERATION: Operation is empty', { operation: '' }],
		['INVALID_OPERATION: Operation is blank', { operation: ' ' }],
		['INVALID_OPERATION: Operation is a number', { operation: 5 }],
		['INVALID_OPERATION: Operation has 65 characters', { operation: 'o'.repeat(LONGEST_OPERATION + 1) }],
		['INVALID_OPERATION: Operation has 66 characters once signs', { operation: 'é'.repeat(11) }],
		['INVALID_OPERATION: Operation holds half', { operation: 'a\udfff' }],
		['INVALID_KEY_PART: Scope is empty', { scope: '' }],
		['INVALID_KEY_PART: Scope is blank', { scope: '\t' }],
		['INVALID_KEY_PART: Scope is missing', { scope: undefined }],
		['INVALID_KEY_PART: Scope is missing', { scope: null }],
		['INVALID_KEY_PART: Scope is an object', { scope: {} }],
		['INVALID_KEY_PART: Scope has 73 characters', { scope: 's'.repeat(LONGEST_SCOPE + 1) }],
		['INVALID_KEY_PART: Version is empty', { version: '' }],
		['INVALID_KEY_PART: Version is a boolean', { version: false }],
		['INVALID_KEY_PART: Version is NaN', { version: NaN }],
		['INVALID_KEY_PART: Version has 33 characters', { version: 'v'.repeat(LONGEST_VERSION + 1) }],
	])('%s', (message, input) => {
		expect(refusal(input)).toContain(message);
	});

	test('are one, however their accents are encoded', () => {
		const of = (accent: string) => derive({ operation: `cr${accent}er`, scope: accent, version: accent });
		expect(of('e\u0301')).toEqual(of('\u00e9'));
	});

	test('not given is null on the record', () => {
		expect(derive()).toEqual({ key: 'charge:A-42', operation: 'charge', businessId: 'A-42', scope: null, version: null, ephemeral: false });
	});
});

describe('A hashed business ID', () => {
	const HASHED = /^~sha256-[0-9a-f]{64}$/;

	test('stays out of the ledger when hashing was asked for', () => {
		const { key, businessId } = derive({ businessId: 'jane@example.com', hashBusinessId: true, hashSecret: 'k' });
		expect(businessId).toMatch(HASHED);
		expect(key).toBe(`charge:${businessId}`);
	});

	test('differs by secret, and an empty secret is none', () => {
		const hash = (hashSecret: string | null) => derive({ hashBusinessId: true, hashSecret }).businessId;
		expect(new Set([hash(null), hash('one'), hash('two')]).size).toBe(3);
		expect(hash('')).toBe(hash(null));
	});

	test('for its length alone: readable on the record, unless it is very long', () => {
		expect(derive({ businessId: 'x'.repeat(300) }).businessId).toBe('x'.repeat(300));
		expect(derive({ businessId: 'x'.repeat(2000) }).businessId).toMatch(HASHED);
	});

	test('is never mistaken for a business ID that looks like one', () => {
		const { businessId } = derive({ hashBusinessId: true });
		expect(derive({ businessId }).key).toBe(`charge:%7E${businessId.slice(1)}`);
	});

	test('begins exactly above 255 characters', () => {
		const fits = LONGEST_KEY - 'charge:'.length;
		expect(derive({ businessId: 'x'.repeat(fits) }).key).toHaveLength(LONGEST_KEY);
		expect(derive({ businessId: 'x'.repeat(fits + 1) }).key).toMatch(/^charge:~sha256-/);
	});

	test('bounds the longest key there is', () => {
		const { key } = derive({
			operation: 'o'.repeat(LONGEST_OPERATION),
			scope: 's'.repeat(LONGEST_SCOPE),
			version: 'v'.repeat(LONGEST_VERSION),
			hashBusinessId: true,
			ephemeral: true,
		});
		expect(key).toHaveLength(248);
	});
});

/** Texts that could run into each other: separators, escapes, our own marks, all of Unicode. */
const nasty = fc.oneof(
	{ weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'B', ':', '@', '#', '~', '%', '3', 'A', ' ', 'é', 'e\u0301', '💳'), minLength: 1, maxLength: 7 }) },
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
	fc.constantFrom('__proto__', '~test', '~sha256-', `~sha256-${'a'.repeat(64)}`, '%7Esha256-', 'a:b', 'a', 'b:c', 'x'.repeat(300)),
);
const id = fc.oneof(nasty, fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }));
const part = nasty.filter((text) => text.length < 8);
const input: fc.Arbitrary<KeyInput> = fc.record(
	{
		operation: part,
		businessId: id,
		scope: part,
		version: part,
		trim: fc.boolean(),
		lowerCase: fc.boolean(),
		hashBusinessId: fc.boolean(),
		hashSecret: fc.constantFrom(null, 'secret'),
		ephemeral: fc.boolean(),
	},
	{ requiredKeys: ['operation', 'businessId', 'trim', 'lowerCase', 'hashBusinessId', 'hashSecret', 'ephemeral'] },
);

/** Derives, or null where the input is refused. */
function attempt(one: KeyInput) {
	try {
		return deriveKey(one);
	} catch (error) {
		if (isLedgerError(error)) return null;
		throw error;
	}
}

describe('For any input', () => {
	test('the key is a legal HTTP header value of at most 255 characters, and names its parts', () => {
		fc.assert(
			fc.property(input, (one) => {
				const derived = attempt(one);
				fc.pre(derived !== null);
				expect(derived.key).toMatch(/^[\x21-\x7e]{3,255}$/);
				const parsed = parseKey(derived.key);
				const hashed = derived.key.includes(':~sha256-');
				expect(parsed).toEqual({ ...derived, businessId: hashed ? expect.stringMatching(/^~sha256-/) : derived.businessId });
			}),
			{ numRuns: 2000 },
		);
	});

	test('two inputs give one key only when they are the same after normalisation', () => {
		const meaning = (one: KeyInput) => {
			const text = String(one.businessId === 0 ? 0 : one.businessId);
			const cased = (one.lowerCase ? text.toLowerCase() : text).normalize('NFC');
			const trimmed = one.trim ? cased.trim() : cased;
			const nfc = (value: unknown) => (value === undefined ? null : String(value).normalize('NFC'));
			return JSON.stringify([nfc(one.operation), nfc(one.scope), trimmed, nfc(one.version), one.ephemeral]);
		};
		// Hashing with and without secret are three ledgers on purpose; one setting at a time is compared.
		const settings = fc.record({ hashBusinessId: fc.boolean(), hashSecret: fc.constantFrom(null, 'secret') });
		fc.assert(
			fc.property(input, input, settings, (one, other, setting) => {
				const left = attempt({ ...one, ...setting });
				const right = attempt({ ...other, ...setting });
				fc.pre(left !== null && right !== null);
				expect(left.key === right.key).toBe(meaning(one) === meaning(other));
			}),
			{ numRuns: 3000 },
		);
	});

	test('moving a separator from one part to the next changes the key', () => {
		fc.assert(
			fc.property(part, part, fc.constantFrom(':', '@', '#', '~', '%'), (a, b, sign) => {
				const keys = [
					attempt({ ...plain, operation: a + sign, businessId: b }),
					attempt({ ...plain, operation: a, businessId: sign + b }),
					attempt({ ...plain, operation: a, businessId: b, scope: sign }),
					attempt({ ...plain, operation: a, businessId: b, version: sign }),
				];
				fc.pre(keys.every((key) => key !== null));
				expect(new Set(keys.map((key) => key!.key)).size).toBe(4);
			}),
		);
	});
});

describe('A text that is no key has no parts', () => {
	test.each([
		'', 'charge', 'charge:', ':A-42', 'charge:a:b', 'charge:A-42#', 'charge@:A-42', 'charge:a%3a', 'charge:%41', 'charge:a b',
		'charge:%ZZ', 'charge:%FF', 'charge:~sha256-12', 'charge~prod:A-42', `charge:${'x'.repeat(300)}`, 'charge:é',
	])('%s', (text) => {
		expect(parseKey(text)).toBeNull();
	});
});
