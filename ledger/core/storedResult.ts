import { parseFieldPath, readField } from './fieldPath';
import type { FieldPath, FieldRead } from './fieldPath';
import type { Json } from './record';
import { lenientJson } from './lenientJson';

export interface ResultSelection {
	mode: 'none' | 'fields' | 'whole';
	/** paths (fieldPath.ts), used with mode `fields` */
	fields: string[];
	/** of the result as JSON text in UTF-8 */
	maxBytes: number;
	/** replace what stands under the names of secrets, at any depth */
	redact: boolean;
	/** the node's own field, left out of the whole item: it holds the claim, not the effect's answer */
	except?: string;
}

/** A small object shared many times can unfold into more than memory holds: the size isn't counted further. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
const MOST_MISSING = 5;

/** Without a prototype, so that a field called __proto__ is a field. */
type Tree = Record<string, unknown>;

export interface StoredResult {
	result: Json;
	/** one sentence without a final period: what was left out or replaced; null when nothing was */
	note: string | null;
}

/**
 * The result to keep of an item. Never throws, whatever the item holds: the effect has happened, and
 * its success must not be lost over a value that can't be stored. What can't is replaced by a marker
 * (lenientJson.ts), a result above `maxBytes` by `{truncated: true, bytes, maxBytes}`, and the note says so.
 * Binary data is no part of json.
 */
export function selectResult(json: unknown, { mode, fields, maxBytes, redact, except }: ResultSelection): StoredResult {
	if (mode === 'none' || (mode === 'fields' && fields.length === 0)) return { result: null, note: null };
	try {
		const notes: string[] = [];
		const chosen = mode === 'whole' ? without(json, except) : chooseFields(json, fields, notes);
		const copy = lenientJson(chosen, { redact, maxCharacters: Math.max(maxBytes, MOST_CHARACTERS) });
		notes.push(...copy.notes);
		const bytes = copy.cut ? null : Buffer.byteLength(JSON.stringify(copy.json), 'utf8');
		if (bytes !== null && bytes <= maxBytes) return { result: copy.json, note: joined(notes) };
		const size = bytes === null ? `more than ${MOST_CHARACTERS}` : String(bytes);
		return {
			result: { truncated: true, bytes, maxBytes },
			note: joined([`The result was not stored: it has ${size} bytes, and at most ${maxBytes} are kept`]),
		};
	} catch {
		return { result: { unserializable: true }, note: 'The result was not stored: it can not be read' };
	}
}

function without(json: unknown, name: string | undefined): unknown {
	if (name === undefined || json === null || typeof json !== 'object' || Array.isArray(json) || !Object.hasOwn(json, name)) return json;
	// Descriptors, not values: a getter that throws is dealt with where it is read.
	const rest: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(json);
	delete rest[name];
	return Object.create(null, rest) as unknown;
}

/** The fields in the shape they had, so that a replayed result reads as the item did: `receipt.url` → `{receipt: {url}}`. */
function chooseFields(json: unknown, fields: string[], notes: string[]): Tree {
	const chosen: Tree = Object.create(null);
	const taken: FieldPath[] = [];
	const missing: string[] = [];
	for (const field of fields) {
		const path = parseFieldPath(field) ?? [];
		const read = readQuietly(json, path);
		if (!read.found) missing.push(field);
		// What is inside a taken object is there already, and that object is the item's own.
		else if (!taken.some((above) => above.every((name, i) => name === path[i]))) {
			taken.push(path);
			place(chosen, path, read.value);
		}
	}
	if (missing.length > 0) notes.push(`The item has no field ${missing.slice(0, MOST_MISSING).join(', ')}`);
	return chosen;
}

/** Names of lists become objects with the indexes as names: `lines[0]` reads both. */
function place(tree: Tree, path: FieldPath, value: unknown): void {
	let at = tree;
	for (const name of path.slice(0, -1)) at = (at[name] ??= Object.create(null) as Tree) as Tree;
	at[path.at(-1)!] = value;
}

/** The empty path stands for one that can't be read. */
function readQuietly(json: unknown, path: FieldPath): FieldRead {
	const none = { found: false as const, parent: null, depth: 0 };
	try {
		return path.length === 0 ? none : readField(json, path);
	} catch {
		return none;
	}
}

function joined(notes: string[]): string | null {
	return notes.length === 0 ? null : notes.join('; ');
}
