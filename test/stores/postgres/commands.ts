import type { ClaimCommand, SealCommand } from '../../../ledger/core/commands';

const NOBODY = { instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: null };

/** A claim with the nodes' defaults. */
export function aClaim(key: string, changes: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		key,
		operation: 'op',
		businessId: key,
		scope: null,
		version: null,
		token: `token of ${key}`,
		leaseMs: 60_000,
		policy: 'review',
		maxAttempts: 5,
		retentionSeconds: 3600,
		fingerprint: null,
		fingerprintFields: null,
		correlationId: null,
		owner: NOBODY,
		ephemeral: false,
		...changes,
	};
}

/** The first holder's success. */
export function aSeal(key: string, changes: Partial<SealCommand> = {}): SealCommand {
	return {
		key,
		token: `token of ${key}`,
		attempt: 1,
		operation: 'op',
		businessId: key,
		scope: null,
		version: null,
		word: 'success',
		result: null,
		externalId: null,
		error: null,
		retryDelayMs: 0,
		deadlineSeconds: null,
		rerun: false,
		ephemeral: false,
		externalIdIsUnique: true,
		executionId: null,
		...changes,
	};
}
