/**
 * PostgreSQL's text holds neither U+0000 nor lone surrogates; n8n's data may have both. They are
 * written as the visible sign U+241B (␛) and four hexadecimal digits, and so is that sign itself, so
 * that different texts stay different. Everybody else's text is stored as it is.
 */
const UNSTORABLE = /[\0\u241b\ud800-\udfff]/u;
const EACH_UNSTORABLE = /[\0\u241b\ud800-\udfff]/gu;
const EACH_ESCAPED = /\u241b([0-9a-f]{4})/g;

export function toStorable(text: string): string;
export function toStorable(text: string | null): string | null;
/** A text PostgreSQL can hold; `fromStorable` gives the original back. */
export function toStorable(text: string | null): string | null {
	// With the u flag a proper pair is one character outside the class; only a lone half is inside.
	if (text === null || !UNSTORABLE.test(text)) return text;
	return text.replace(EACH_UNSTORABLE, (sign) => `\u241b${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fromStorable(text: string): string {
	return text.replace(EACH_ESCAPED, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/** Whether anything in a stored text (a whole record as JSON) needs `fromStorable`. */
export const hasEscapes = (text: string): boolean => text.includes('\u241b');

/** Apply `change` to every string value inside; names stay. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
	if (typeof value === 'string') return change(value) as Value;
	if (Array.isArray(value)) return value.map((one) => mapStrings(one, change)) as Value;
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapStrings(one, change)])) as Value;
}
