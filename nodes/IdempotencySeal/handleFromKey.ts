import { LedgerError } from '../../ledger/core/errors';
import type { ClaimHandleJson } from '../shared/claimHandle';

/** `operation[~test][@scope]:businessId[#version]`; the parts hold none of these characters unescaped. */
const KEY = /^([^:@#~]+)(~test)?(?:@([^:@#~]*))?:((?:~sha256-)?[^:@#~]+)(?:#([^:@#~]+))?$/;

/**
 * A handle of what a person or another system was given: the key names its parts itself.
 * Who claimed isn't known, so a failure after n8n's Retry button counts as the repeated call's.
 * @throws LedgerError INVALID_PARAMETER
 */
export function handleFromKey(key: string, token: string, attempt: number): ClaimHandleJson {
	const parts = KEY.exec(key);
	if (parts === null || key.length > 255) {
		throw new LedgerError('INVALID_PARAMETER', 'Key is not one that Idempotency Claim returned', {
			advice: 'Map Key to idempotency.key of the item that left Claim, as it is.',
		});
	}
	const [, operation, test, scope, businessId, version] = parts;
	return {
		key,
		token,
		attempt,
		operation: unescaped(operation),
		businessId: unescaped(businessId),
		scope: scope ? unescaped(scope) : null,
		version: version === undefined ? null : unescaped(version),
		executionId: null,
		ephemeral: test !== undefined,
	};
}

function unescaped(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
