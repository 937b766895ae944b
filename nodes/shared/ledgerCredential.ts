import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { describeFailure } from './nodeErrors';
import { settingsFromCredential } from './settings';
import type { LedgerCredential } from './settings';

type CredentialContext = IExecuteFunctions | IPollFunctions;

export const CREDENTIAL_NAME = 'idempotencyLedgerApi';

/**
 * Read the credential of the running node, once for all items.
 * @throws LedgerError INVALID_SETTINGS: none selected, not readable, or a field that can't be used
 */
export async function loadLedgerCredential(context: CredentialContext): Promise<LedgerCredential> {
	if (context.getNode().credentials?.[CREDENTIAL_NAME] === undefined) {
		throw new LedgerError('INVALID_SETTINGS', 'No Idempotency Ledger credential is selected in this node', {
			advice: 'Select a credential in this node, or create one: it says where the ledger is kept.',
		});
	}
	return settingsFromCredential(await decrypted(context));
}

async function decrypted(context: CredentialContext) {
	try {
		return await context.getCredentials(CREDENTIAL_NAME);
	} catch (error) {
		throw unreadable(error);
	}
}

function unreadable(error: unknown): LedgerError {
	const { message } = describeFailure(error);
	return new LedgerError('INVALID_SETTINGS', `The Idempotency Ledger credential could not be read: ${message}`, {
		cause: error,
		advice: 'Select the credential again in this node; it may have been deleted, or not be shared with this workflow.',
	});
}
