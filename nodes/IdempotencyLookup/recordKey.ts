import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { keyOf } from '../shared/keyInput';

export interface RecordKey {
	key: string;
	/** what the key was made of; nothing when it was given whole */
	parts: IDataObject;
}

/** The longest key there is; a longer business ID is hashed. */
const LONGEST_KEY = 255;

/** Which record an item asks for. @throws LedgerError naming what can't be used */
export function readRecordKey(context: IExecuteFunctions, itemIndex: number, hashSecret: string | null): RecordKey {
	if (context.getNodeParameter('lookUpBy', itemIndex, 'businessId') === 'key') {
		const key = context.getNodeParameter('key', itemIndex) as unknown;
		if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= LONGEST_KEY) return { key, parts: {} };
		throw new LedgerError('INVALID_PARAMETER', `Key must be a key as Idempotency Claim returned it, of at most ${LONGEST_KEY} characters`);
	}
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const { key, ...parts } = keyOf(
		{
			operation: context.getNodeParameter('claimedOperation', itemIndex),
			businessId: context.getNodeParameter('businessId', itemIndex),
			options,
			test: options.testRuns === true,
		},
		hashSecret,
	);
	return { key, parts };
}
