import { LedgerError } from './errors';
import type { LedgerErrorCode } from './errors';

/** Nothing a person could see: whitespace, control signs, zero-width signs. */
const BLANK = /^[\s\p{Cc}\p{Cf}]*$/u;
/** With the u flag a proper pair is one character outside the class; only a lone half is inside. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/**
 * What a missing value becomes when a template joins it to text. As business IDs they would put
 * unrelated items under one key, and all but the first would never have their effect.
 */
const LOST_VALUES = new Set(['undefined', 'null', 'NaN', '[object Object]', '[object Undefined]', '[object Null]']);
const ESCAPED = /[^\x21-\x7e]|[%:@#~]/gu;

/** Percent-escape `% : @ # ~` and everything outside visible ASCII, by UTF-8 bytes. */
export function escapePart(text: string): string {
	return text.replace(ESCAPED, (sign) =>
		Array.from(Buffer.from(sign, 'utf8'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
	);
}

/** What `escapePart` made this of, or undefined when it never makes it. */
export function unescapePart(part: string): string | undefined {
	try {
		const text = decodeURIComponent(part);
		return escapePart(text) === part ? text : undefined;
	} catch {
		return undefined;
	}
}

/** @throws LedgerError INVALID_OPERATION */
export function operationText(value: unknown, longest: number): string {
	if (typeof value !== 'string') throw refused('INVALID_OPERATION', 'Operation', value === undefined || value === null ? 'is missing' : `is ${kind(value)}, not a text`);
	return shortText('INVALID_OPERATION', 'Operation', value, longest);
}

/** Scope and Version: a text, or a number that stands for its digits. @throws LedgerError INVALID_KEY_PART */
export function optionalText(label: string, value: unknown, longest: number): string {
	return shortText('INVALID_KEY_PART', label, asText('INVALID_KEY_PART', label, value), longest);
}

/**
 * The business ID as text: NFC, and trimmed or in lower case as wanted. Numbers stand for their digits
 * (42 is "42"); a BigInt too, since it's exact. Refused is whatever doesn't tell two items apart.
 * @throws LedgerError INVALID_BUSINESS_ID
 */
export function businessIdText(
	value: unknown,
	{ trim, lowerCase, longest }: { trim: boolean; lowerCase: boolean; longest: number },
): string {
	const code = 'INVALID_BUSINESS_ID';
	const given = asText(code, 'Business ID', value);
	// Lower case can take a text out of NFC, so NFC comes last.
	const text = (lowerCase ? given.toLowerCase() : given).normalize('NFC');
	const id = trim ? text.trim() : text;
	if (id.length > longest) {
		throw refused(code, 'Business ID', `has ${id.length} characters, more than the ${longest} of any identifier`);
	}
	checkText(code, 'Business ID', id);
	if (LOST_VALUES.has(id.trim()) || id.includes('[object Object]')) {
		throw refused(code, 'Business ID', `holds the text ${/\[.*?\]/.exec(id)?.[0] ?? id.trim()}, which an expression gives for a value that isn't there`);
	}
	return id;
}

function shortText(code: LedgerErrorCode, label: string, given: string, longest: number): string {
	const text = given.normalize('NFC');
	checkText(code, label, text);
	const length = escapePart(text).length;
	if (length <= longest) return text;
	const escaped = length === text.length ? '' : ' once signs other than plain letters and digits are escaped';
	throw refused(code, label, `has ${length} characters${escaped}, more than ${longest}`);
}

function checkText(code: LedgerErrorCode, label: string, text: string): void {
	if (text === '') throw refused(code, label, 'is empty');
	if (BLANK.test(text)) throw refused(code, label, 'is blank: it holds only whitespace or invisible signs');
	if (LONE_SURROGATE.test(text)) {
		throw refused(code, label, 'holds half a character (a lone UTF-16 surrogate): the text was cut or decoded wrongly');
	}
}

function asText(code: LedgerErrorCode, label: string, value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value;
		case 'bigint':
			return String(value);
		case 'number':
			if (!Number.isFinite(value)) throw refused(code, label, `is ${value}, not a usable number`);
			// From here on neighbouring integers are one number: two orders would share a key.
			if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
				throw refused(code, label, 'is a number beyond 2^53, which JavaScript holds inexactly: pass it as text');
			}
			return String(value);
		default:
			throw refused(code, label, value === undefined || value === null ? 'is missing' : `is ${kind(value)}, not a text or a number`);
	}
}

function kind(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The value itself stays out of the message: it may be personal data. */
function refused(code: LedgerErrorCode, label: string, what: string): LedgerError {
	return new LedgerError(code, `${label} ${what}`);
}
