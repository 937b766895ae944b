import type { ClaimCommand, SealCommand } from '../../../ledger/core/commands';

const NOBODY = { instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: null };

/** A claim as the node's defaults make it. */
export function claimOf(businessId: string, changes: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		key: `charge:${businessId}`,
		operation: 'charge',
		businessId,
		scope: null,
		version: null,
		token: `token of ${businessId}`,
		leaseMs: 900_000,
		policy: 'review',
		maxAttempts: 5,
		retentionSeconds: 2_592_000,
		fingerprint: null,
		fingerprintFields: null,
		correlationId: null,
		owner: NOBODY,
		ephemeral: false,
		...changes,
	};
}

/** The holder of that claim says that it succeeded. */
export function successOf(claim: ClaimCommand, changes: Partial<SealCommand> = {}): SealCommand {
	const { key, token, operation, businessId, scope, version, ephemeral } = claim;
	return {
		...{ key, token, operation, businessId, scope, version, ephemeral },
		attempt: 1,
		word: 'success',
		result: null,
		externalId: null,
		error: null,
		retryDelayMs: 0,
		deadlineSeconds: null,
		rerun: false,
		externalIdIsUnique: true,
		executionId: null,
		...changes,
	};
}
