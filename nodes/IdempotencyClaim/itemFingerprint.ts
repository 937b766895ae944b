import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ClaimCommand } from '../../ledger/core/commands';
import { LedgerError } from '../../ledger/core/errors';
import { fingerprintOf } from '../../ledger/core/fingerprint';

type StoredFingerprint = Pick<ClaimCommand, 'fingerprint' | 'fingerprintFields'>;

/**
 * Fingerprint of what must not change in an item; nulls when nothing is named.
 * @param outputField the node's own field, which is no part of the payload
 * @throws LedgerError INVALID_FINGERPRINT naming the field
 */
export function itemFingerprint(
	context: IExecuteFunctions,
	itemIndex: number,
	json: IDataObject,
	{ wholeItem, outputField }: { wholeItem: boolean; outputField: string },
): StoredFingerprint {
	if (wholeItem) return fingerprintOf(json, { wholeItem: true, except: outputField });
	const fields = fieldNames(context.getNodeParameter('fingerprintFields', itemIndex, '') as unknown);
	return fields.length === 0 ? { fingerprint: null, fingerprintFields: null } : fingerprintOf(json, { fields });
}

/** Names separated by commas, or a list of names (for names with commas in them). */
function fieldNames(value: unknown): string[] {
	if (value === undefined || value === null) return nothingGiven();
	if (typeof value === 'string') return value.split(',').map((name) => name.trim()).filter((name) => name !== '');
	if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value as string[];
	throw new LedgerError('INVALID_FINGERPRINT', 'Fields That Must Not Change must be names separated by commas, or a list of names');
}

/** An expression that found nothing: taken as "no fields" it would let a changed payload through as a replay. */
function nothingGiven(): never {
	throw new LedgerError('INVALID_FINGERPRINT', 'The expression in Fields That Must Not Change gave no field names');
}
