import { LedgerError } from '../../ledger/core/errors';
import { parseKey } from '../../ledger/core/key';
import type { ClaimHandleJson } from '../shared/claimHandle';

/**
 * A handle of what a person or another system was given: the key names its parts itself.
 * Who claimed isn't known, so a failure after n8n's Retry button counts as the repeated call's.
 * @throws LedgerError INVALID_PARAMETER
 */
export function handleFromKey(key: string, token: string, attempt: number): ClaimHandleJson {
	const parts = parseKey(key);
	if (parts !== null) return { ...parts, token, attempt, executionId: null };
	throw new LedgerError('INVALID_PARAMETER', 'Key is not one that Idempotency Claim returned', {
		advice: 'Map Key to idempotency.key of the item that left Claim, as it is.',
	});
}
