import { createHash } from 'node:crypto';

import { canonicalize } from '../vendor/canonicalize';
import { isLedgerError, LedgerError } from './errors';
import { formatFieldPath, nearbyFields, parseFieldPath, readField } from './fieldPath';
import type { FieldPath } from './fieldPath';
import { strictJson } from './strictJson';

/** Grows when the same payload would get another fingerprint; records keep the version they were made with. */
const FINGERPRINT_VERSION = 'v1';
/** Characters of canonical JSON; more is a file in an item, and takes seconds. */
const LONGEST_CANONICAL = 10 * 1024 * 1024;
/** `fingerprintFields` of the whole item; a field of that name is `["*"]`. */
export const WHOLE_ITEM = '*';

export type FingerprintSelection =
	| { fields: string[] }
	/** all but the node's own field, by default `idempotency` */
	| { wholeItem: true; except?: string };

export interface Fingerprint {
	/** `v1:` and 64 hexadecimal digits */
	fingerprint: string;
	/** canonical text of what it was made over: a sorted JSON list of paths, or `*` */
	fingerprintFields: string;
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of the fields that must not change. Order of properties and
 * of the list of fields, repeated fields and −0 make no difference; letter case, the order within lists
 * and Unicode normalisation do (RFC 8785 changes no text), as do 42 and "42", null and an absent field.
 * What JSON can't hold exactly is refused, see strictJson.ts.
 * @throws LedgerError INVALID_FINGERPRINT naming the field
 */
export function fingerprintOf(item: unknown, selection: FingerprintSelection): Fingerprint {
	try {
		return 'fields' in selection ? ofFields(item, selection.fields) : ofWholeItem(item, selection.except ?? 'idempotency');
	} catch (error) {
		throw asInvalid(error);
	}
}

function ofFields(item: unknown, fields: string[]): Fingerprint {
	const paths = canonicalPaths(fields);
	const values = Object.create(null) as Record<string, unknown>;
	for (const [text, path] of paths) values[text] = strictJson(valueAt(item, path, text), text);
	return { fingerprint: hash(values), fingerprintFields: canonicalize([...paths.keys()])! };
}

function ofWholeItem(item: unknown, except: string): Fingerprint {
	const rest = { ...asObject(item) };
	delete rest[except];
	return { fingerprint: hash(strictJson(rest, null)), fingerprintFields: WHOLE_ITEM };
}

function hash(value: unknown): string {
	const text = canonicalize(value)!;
	if (text.length > LONGEST_CANONICAL) {
		throw invalid(`The fields that must not change hold ${text.length} characters, more than ${LONGEST_CANONICAL}`);
	}
	return `${FINGERPRINT_VERSION}:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** Each path once, by its canonical text, sorted by UTF-16 code units as RFC 8785 sorts. */
function canonicalPaths(fields: string[]): Map<string, FieldPath> {
	if (fields.length === 0) throw invalid('Fields That Must Not Change names no field');
	const paths = new Map<string, FieldPath>();
	for (const field of fields) {
		const path = typeof field === 'string' && field.trim() !== '' ? parseFieldPath(field) : null;
		if (path === null) throw invalid(`Fields That Must Not Change holds ${JSON.stringify(field) ?? typeof field}, which is no field name`);
		paths.set(formatFieldPath(path), path);
	}
	return new Map([...paths].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function valueAt(item: unknown, path: FieldPath, text: string): unknown {
	const read = readField(asObject(item), path);
	if (read.found) return read.value;
	const near = nearbyFields(path, read);
	const hint = near.length > 0 ? `; there is ${near.join(', ')}` : '';
	throw invalid(`The item has no field ${text}${hint}`);
}

function asObject(item: unknown): Record<string, unknown> {
	if (item === null || typeof item !== 'object' || Array.isArray(item)) throw invalid('The item holds no JSON object');
	return item as Record<string, unknown>;
}

function invalid(message: string, cause?: unknown): LedgerError {
	return new LedgerError('INVALID_FINGERPRINT', message, { cause });
}

/** A getter or a toJSON of the item that throws: what it says may hold data, so it stays in `cause`. */
function asInvalid(error: unknown): LedgerError {
	return isLedgerError(error) ? error : invalid('The item has a field that throws when it is read', error);
}
