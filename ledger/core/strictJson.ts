import { LedgerError } from './errors';
import { formatFieldPath } from './fieldPath';

/** Deeper items are refused before recursion could exhaust the stack. */
const DEEPEST = 500;
/** Values in one item; a small object shared many times can unfold into more than memory holds. */
const MOST_VALUES = 1_000_000;

/**
 * A copy that holds only what JSON holds exactly, so that two different values can't look the same:
 * - refused: NaN, Infinity, integers beyond 2^53, BigInt, functions, symbols, half characters,
 *   undefined in a list, Map, Set and other objects that JSON would show as `{}`, circles;
 * - an undefined property is absent, and an object that knows its JSON (Date, Luxon's DateTime) is that:
 *   so they are once n8n has stored the item, and the same item must stay the same.
 * @param at path of `value` for messages; null is the item itself
 * @throws LedgerError INVALID_FINGERPRINT naming the place
 */
export function strictJson(value: unknown, at: string | null): unknown {
	const inside: object[] = [];
	const names: string[] = [];
	let values = 0;

	function copy(one: unknown, depth: number): unknown {
		if (++values > MOST_VALUES) throw refusedAt(names, `holds more than ${MOST_VALUES} values`);
		if (one !== null && typeof one === 'object') return copyObject(one, depth);
		const problem = problemOf(one);
		if (problem !== null) throw refusedAt(names, problem);
		return one;
	}

	function copyObject(one: object, depth: number): unknown {
		if (depth > DEEPEST) throw refusedAt(names.slice(0, 3), `is nested deeper than ${DEEPEST} levels`);
		if (inside.includes(one)) throw refusedAt(names.slice(0, 3), 'contains itself');
		inside.push(one);
		const result = copyContents(one, depth);
		inside.pop();
		return result;
	}

	function copyContents(one: object, depth: number): unknown {
		const { toJSON } = one as { toJSON?: unknown };
		if (typeof toJSON === 'function') {
			const json: unknown = toJSON.call(one, '');
			// An invalid date; as null it would be every other invalid date.
			if (json === null || json === undefined) throw refusedAt(names, 'is an object without a JSON value, such as an invalid date');
			return copy(json, depth + 1);
		}
		if (Array.isArray(one)) {
			return Array.from(one, (element: unknown, index) => named(String(index), () => {
				if (element === undefined) throw refusedAt(names, 'is undefined');
				return copy(element, depth + 1);
			}));
		}
		if (!isPlain(one)) throw refusedAt(names, `is a ${one.constructor?.name ?? 'special object'}, which JSON can't hold`);
		// Without a prototype, so that a field called __proto__ is a field.
		const result = Object.create(null) as Record<string, unknown>;
		for (const name of Object.keys(one)) {
			const property = (one as Record<string, unknown>)[name];
			if (HALF.test(name)) throw refusedAt(names, 'has a field name with half a character (a lone UTF-16 surrogate)');
			if (property !== undefined) result[name] = named(name, () => copy(property, depth + 1));
		}
		return result;
	}

	function refusedAt(place: string[], problem: string): LedgerError {
		const path = [...(at === null ? [] : [at]), ...(place.length === 0 ? [] : [formatFieldPath(place)])].join('.');
		return new LedgerError('INVALID_FINGERPRINT', `${path === '' ? 'The item' : `Field ${path}`} ${problem}`);
	}

	function named<Result>(name: string, work: () => Result): Result {
		names.push(name);
		const result = work();
		names.pop();
		return result;
	}

	return copy(value, 0);
}

const HALF = /\p{Surrogate}/u;

function problemOf(value: unknown): string | null {
	switch (typeof value) {
		case 'number':
			if (!Number.isFinite(value)) return `is ${value}`;
			if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return null;
			return 'is a number beyond 2^53, which JavaScript holds inexactly: pass it as text';
		case 'string':
			return HALF.test(value) ? 'holds half a character (a lone UTF-16 surrogate)' : null;
		case 'bigint':
			return 'is a BigInt, which JSON can\'t hold: pass it as text';
		case 'function':
		case 'symbol':
		case 'undefined':
			return `is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}, which JSON can't hold`;
		default:
			return null;
	}
}

/** An object literal, also one of another realm (n8n's Code node runs in its own). */
export function isPlain(value: object): boolean {
	const prototype = Object.getPrototypeOf(value) as object | null;
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
