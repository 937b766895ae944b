import type { IDataObject } from 'n8n-workflow';

import { deriveKey } from '../../ledger/core/key';
import type { DerivedKey } from '../../ledger/core/key';

export interface KeyParameters {
	operation: unknown;
	businessId: unknown;
	/** the Options collection: an option that isn't there wasn't given, one that is counts whatever it holds */
	options: IDataObject;
	/** key of a manual run kept apart */
	ephemeral: boolean;
}

/**
 * The key that a node's parameters make: the same in Claim and in Lookup.
 * @throws LedgerError INVALID_OPERATION, INVALID_BUSINESS_ID, INVALID_KEY_PART
 */
export function keyOf({ operation, businessId, options, ephemeral }: KeyParameters, hashSecret: string | null): DerivedKey {
	return deriveKey({
		operation,
		businessId,
		...(Object.hasOwn(options, 'scope') ? { scope: options.scope } : {}),
		...(Object.hasOwn(options, 'version') ? { version: options.version } : {}),
		trim: options.trim === true,
		lowerCase: options.lowerCase === true,
		hashBusinessId: options.hashBusinessId === true,
		hashSecret,
		ephemeral,
	});
}
