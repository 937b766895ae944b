import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { parseKey } from '../../ledger/core/key';
import type { DerivedKey } from '../../ledger/core/key';
import { keyOf } from '../shared/keyInput';

/** Which record an item asks for. @throws LedgerError naming what can't be used */
export function readRecordKey(context: IExecuteFunctions, itemIndex: number, hashSecret: string | null): DerivedKey {
	if (context.getNodeParameter('lookUpBy', itemIndex, 'businessId') === 'key') {
		const key = context.getNodeParameter('key', itemIndex) as unknown;
		const parsed = typeof key === 'string' ? parseKey(key) : null;
		if (parsed !== null) return { ...parsed };
		throw new LedgerError('INVALID_PARAMETER', 'Key must be a key as Idempotency Claim returned it, such as charge_customer:order-1001');
	}
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	return keyOf(
		{
			operation: context.getNodeParameter('claimedOperation', itemIndex),
			businessId: context.getNodeParameter('businessId', itemIndex),
			options,
			ephemeral: options.testRuns === true,
		},
		hashSecret,
	);
}
