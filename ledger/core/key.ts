import { createHash, createHmac } from 'node:crypto';

import type { KeyParts } from './commands';
import { businessIdText, escapePart, operationText, optionalText, unescapePart } from './keyText';

/**
 * Version of the rules in this file and in keyText.ts. Changing what key an input gets forgets every
 * record made before, so a test holds examples of each version; the number is for documents and scripts.
 */
export const KEY_DERIVATION = 1;

/** The longest key. Every store's index takes it, and so does every destination's header. */
export const LONGEST_KEY = 255;
/**
 * Longest parts, after escaping. With the separators and a hashed business ID (72) the longest key is
 * 64 + 5 (`~test`) + 1 + 72 + 1 + 72 + 1 + 32 = 248.
 */
export const LONGEST_OPERATION = 64;
export const LONGEST_SCOPE = 72;
export const LONGEST_VERSION = 32;
/** A longer text is a document mapped by mistake, no identifier. */
export const LONGEST_BUSINESS_ID = 16_384;
/** A business ID that was hashed for its length alone stays readable on the record up to this length. */
const LONGEST_READABLE = 1_024;

/**
 * What a key is made of. `scope` and `version` count as given when the property is there, whatever it
 * holds: an expression that found no tenant must not put everything into one ledger without tenants.
 */
export interface KeyInput {
	operation: unknown;
	businessId: unknown;
	scope?: unknown;
	version?: unknown;
	/** cut whitespace around the business ID */
	trim: boolean;
	/** take the business ID in lower case */
	lowerCase: boolean;
	/** keep the business ID itself out of the ledger */
	hashBusinessId: boolean;
	/** secret for the hash, so that nobody finds the ID by trying; null or empty = none */
	hashSecret: string | null;
	/** a manual run kept apart from production */
	ephemeral: boolean;
}

export interface DerivedKey extends KeyParts {
	ephemeral: boolean;
}

/**
 * Derive the key of one business operation:
 *
 *     operation[~test][@scope]:businessId[#version]
 *
 * In every part `% : @ # ~` and all outside visible ASCII is percent-escaped (UTF-8), so that parts
 * can't run into each other; a bare `~` is only what we add: `~test`, and `~sha256-<hex>` in place of a
 * business ID that would make the key longer than 255 characters, or that is hashed on request
 * (HMAC-SHA-256 when there is a secret, else SHA-256). The key is a legal HTTP header value.
 *
 * `businessId` of the answer is the normalised text, or the hashed one when hashing was asked for.
 *
 * @throws LedgerError INVALID_OPERATION, INVALID_BUSINESS_ID, INVALID_KEY_PART
 */
export function deriveKey(input: KeyInput): DerivedKey {
	const operation = operationText(input.operation, LONGEST_OPERATION);
	const scope = Object.hasOwn(input, 'scope') ? optionalText('Scope', input.scope, LONGEST_SCOPE) : null;
	const version = Object.hasOwn(input, 'version') ? optionalText('Version', input.version, LONGEST_VERSION) : null;
	const plain = businessIdText(input.businessId, { ...input, longest: LONGEST_BUSINESS_ID });
	const parts = { operation, scope, version, ephemeral: input.ephemeral };

	const key = joinKey(parts, escapePart(plain));
	if (!input.hashBusinessId && key.length <= LONGEST_KEY) return { key, ...parts, businessId: plain };
	const hashed = hashedText(plain, input.hashSecret);
	const readable = !input.hashBusinessId && plain.length <= LONGEST_READABLE;
	return { key: joinKey(parts, hashed), ...parts, businessId: readable ? plain : hashed };
}

const KEY = /^([^:@#~]+)(~test)?(?:@([^:@#~]+))?:(~sha256-[0-9a-f]{64}|[^:@#~]+)(?:#([^:@#~]+))?$/;

/**
 * The parts that a key names, or null for a text that `deriveKey` never gives. The business ID of a
 * hashed key is the hashed text.
 */
export function parseKey(key: string): DerivedKey | null {
	const match = key.length <= LONGEST_KEY ? KEY.exec(key) : null;
	if (match === null) return null;
	const [, operation, test, scope, businessId, version] = match;
	const parts = {
		operation: unescapePart(operation),
		businessId: businessId.startsWith('~') ? businessId : unescapePart(businessId),
		scope: scope === undefined ? null : unescapePart(scope),
		version: version === undefined ? null : unescapePart(version),
	};
	if (Object.values(parts).includes(undefined)) return null;
	return { key, ...(parts as Omit<KeyParts, 'key'>), ephemeral: test !== undefined };
}

function joinKey(parts: { operation: string; scope: string | null; version: string | null; ephemeral: boolean }, id: string) {
	const test = parts.ephemeral ? '~test' : '';
	const scope = parts.scope === null ? '' : `@${escapePart(parts.scope)}`;
	const version = parts.version === null ? '' : `#${escapePart(parts.version)}`;
	return `${escapePart(parts.operation)}${test}${scope}:${id}${version}`;
}

function hashedText(text: string, secret: string | null): string {
	const hash = secret ? createHmac('sha256', secret) : createHash('sha256');
	return `~sha256-${hash.update(text, 'utf8').digest('hex')}`;
}
