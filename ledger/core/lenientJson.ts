import { formatFieldPath } from './fieldPath';
import type { Json } from './record';
import { isSecretName, REDACTED } from './redaction';

/** Deeper values are replaced before recursion could exhaust the stack here, in a driver or in n8n. */
const DEEPEST = 100;
const MOST_NOTES = 5;

export interface LenientCopy {
	json: Json;
	/** one for each kind of thing that was replaced, with where it stood */
	notes: string[];
	/** it was as long as `maxCharacters` or longer, and isn't whole */
	cut: boolean;
}

/**
 * A copy that can be stored as JSON, whatever the value is. Never throws: what JSON can't hold becomes a
 * text in brackets, `[circular]`, `[function]`, `[binary, 12 bytes]`; a BigInt its digits, Map and Set an
 * object and a list, half a character U+FFFD. A field called `__proto__` stays a field.
 */
export function lenientJson(value: unknown, { redact, maxCharacters }: { redact: boolean; maxCharacters: number }): LenientCopy {
	const inside: object[] = [];
	const path: string[] = [];
	const places = new Map<string, string[]>();
	let left = maxCharacters;

	function replaced(kind: string, marker = `[${kind}]`): string {
		const at = places.get(kind) ?? [];
		places.set(kind, at);
		at.push(path.length === 0 ? 'the item' : formatFieldPath(path.slice(0, 10)));
		return marker;
	}

	function copy(one: unknown): Json {
		left -= 1;
		if (left < 0) return null;
		switch (typeof one) {
			case 'boolean':
				return one;
			case 'string':
				return copyText(one);
			case 'number':
				// −0 is 0 in JSON; here it's made so at once, so that every store gives back the same.
				if (Number.isFinite(one)) return one === 0 ? 0 : one;
				return replaced('not a number', String(one));
			case 'bigint':
				return replaced('BigInt', String(one));
			case 'object':
				return one === null ? null : guarded(one);
			default:
				return replaced(typeof one);
		}
	}

	function copyText(text: string): string {
		left -= text.length;
		const whole = text.replace(HALVES, '\ufffd');
		return whole === text ? text : replaced('half a character', whole);
	}

	function guarded(one: object): Json {
		if (inside.includes(one)) return replaced('circular');
		if (inside.length >= DEEPEST) return replaced('nested too deep');
		const depth = path.length;
		inside.push(one);
		try {
			return copyObject(one);
		} catch {
			path.length = depth;
			return replaced('unreadable');
		} finally {
			inside.length -= 1;
		}
	}

	function copyObject(one: object): Json {
		if (ArrayBuffer.isView(one) || one instanceof ArrayBuffer) return replaced('binary', `[binary, ${one.byteLength} bytes]`);
		const { toJSON } = one as { toJSON?: unknown };
		if (typeof toJSON === 'function') return copy(toJSON.call(one, ''));
		if (Array.isArray(one)) return copyList(one);
		if (one instanceof Set) return copyList(Array.from(one as Set<unknown>));
		if (one instanceof Map) return copyEntries(Array.from(one as Map<unknown, unknown>, ([name, inner]) => [String(name), () => inner]));
		if (one instanceof Error) return copyEntries([['name', () => one.name], ['message', () => one.message]]);
		return copyEntries(Object.keys(one).map((name) => [name, () => (one as Record<string, unknown>)[name]]));
	}

	function copyList(list: unknown[]): Json[] {
		const result: Json[] = [];
		for (let i = 0; i < list.length && left > 0; i++) {
			result.push(at(String(i), () => (list[i] === undefined ? null : copy(list[i]))));
		}
		return result;
	}

	function copyEntries(entries: Array<[string, () => unknown]>): Json {
		const result: { [name: string]: Json } = {};
		for (const [name, read] of entries) {
			if (left <= 0) break;
			left -= name.length;
			const inner = at(name, () => copyProperty(name, read));
			// Defined, not assigned: `__proto__` would set the prototype.
			if (inner !== undefined) Object.defineProperty(result, name.replace(HALVES, '\ufffd'), { value: inner, ...OPEN });
		}
		return result;
	}

	/** An undefined property is absent, as in JSON. */
	function copyProperty(name: string, read: () => unknown): Json | undefined {
		let inner: unknown;
		try {
			inner = read();
		} catch {
			return replaced('unreadable');
		}
		if (inner === undefined) return undefined;
		// Nothing, yes and no are no secrets.
		const secret = redact && inner !== null && typeof inner !== 'boolean' && isSecretName(name);
		return secret ? replaced('secret', REDACTED) : copy(inner);
	}

	function at<Result>(name: string, work: () => Result): Result {
		path.push(name);
		const result = work();
		path.pop();
		return result;
	}

	const json = copy(value);
	const notes = Array.from(places, ([kind, where]) => {
		const more = where.length > MOST_NOTES ? ` and ${where.length - MOST_NOTES} more` : '';
		return `Replaced (${kind}): ${where.slice(0, MOST_NOTES).join(', ')}${more}`;
	});
	return { json, notes, cut: left <= 0 };
}

/** With the u flag a proper pair is one character outside the class; only a lone half is inside. */
const HALVES = /\p{Surrogate}/gu;
const OPEN = { enumerable: true, configurable: true, writable: true };
