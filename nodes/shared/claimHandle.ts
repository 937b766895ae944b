import type { ClaimHandle, KeyParts } from '../../ledger/core/commands';

/** Field that Claim and Seal write their answer into, unless Output Field says otherwise. */
export const DEFAULT_OUTPUT_FIELD = 'idempotency';

/**
 * What Claim writes into an item it lets through: all that a Seal, an extension or a release has to
 * know, so that the key is never computed again from an item that has changed since.
 */
export interface ClaimHandleJson extends ClaimHandle, KeyParts {
	/** execution that claimed; null where n8n has no id (MCP trigger) */
	executionId: string | null;
	/** a manual run kept apart, forgotten after an hour */
	ephemeral: boolean;
}

/** Own properties only: an item's data must not be able to answer through a prototype. */
export function ownValue(holder: unknown, name: string): unknown {
	if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
	return (holder as Record<string, unknown>)[name];
}

/** True if the value has every field of a handle, each of its type. */
export function isClaimHandle(value: unknown): value is ClaimHandleJson {
	const text = (name: string) => typeof ownValue(value, name) === 'string' && ownValue(value, name) !== '';
	const textOrNull = (name: string) => ownValue(value, name) === null || typeof ownValue(value, name) === 'string';
	const attempt = ownValue(value, 'attempt');
	return (
		['key', 'token', 'operation', 'businessId'].every(text) &&
		['executionId', 'scope', 'version'].every(textOrNull) &&
		Number.isSafeInteger(attempt) &&
		(attempt as number) >= 1 &&
		typeof ownValue(value, 'ephemeral') === 'boolean'
	);
}

/** The handle in a field that says `claimed`; null for anything else, also for another answer of Claim. */
export function claimedHandle(value: unknown): ClaimHandleJson | null {
	if (ownValue(value, 'status') !== 'claimed' || !isClaimHandle(value)) return null;
	const { key, token, attempt, executionId, operation, businessId, scope, version, ephemeral } = value;
	return { key, token, attempt, executionId, operation, businessId, scope, version, ephemeral };
}

/** Tokens that a Seal notes on each of its items as sealed by it: `json[outputField].sealedTokens`. */
export function sealedTokens(value: unknown): string[] {
	const tokens = ownValue(value, 'sealedTokens');
	return Array.isArray(tokens) ? tokens.filter((token): token is string => typeof token === 'string') : [];
}
