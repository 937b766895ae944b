import { parseFieldPath, readField } from './fieldPath';
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
}

/** A small object shared many times can unfold into more than memory holds: the size isn't counted further. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export interface StoredResult {
	result: Json;
	/** one sentence without a final period: what was left out or replaced; null when nothing was */
	note: string | null;
}

/**
 * The result to keep of an item. Never throws, whatever the item holds: the effect has happened, and
 * its success must not be lost over a value that can't be stored. What can't is replaced by a marker
 * (lenientJson.ts), a result above `maxBytes` by `{truncated: true, bytes, maxBytes}`, and the note says so.
 * Selected fields come under their paths as given, `{"customer.id": 7}`; binary data is no part of json.
 */
export function selectResult(json: unknown, { mode, fields, maxBytes, redact }: ResultSelection): StoredResult {
	if (mode === 'none' || (mode === 'fields' && fields.length === 0)) return { result: null, note: null };
	try {
		const notes: string[] = [];
		const chosen = mode === 'whole' ? json : chooseFields(json, fields, notes);
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

function chooseFields(json: unknown, fields: string[], notes: string[]): Record<string, unknown> {
	const chosen = Object.create(null) as Record<string, unknown>;
	const missing: string[] = [];
	for (const field of new Set(fields)) {
		const path = parseFieldPath(field);
		const read = path === null ? { found: false as const } : readQuietly(json, path);
		if (read.found) chosen[field] = read.value;
		else missing.push(field);
	}
	if (missing.length > 0) notes.push(`The item has no field ${missing.slice(0, 5).join(', ')}`);
	return chosen;
}

function readQuietly(json: unknown, path: string[]) {
	try {
		return readField(json, path);
	} catch {
		return { found: false as const };
	}
}

function joined(notes: string[]): string | null {
	return notes.length === 0 ? null : notes.join('; ');
}
