import type { IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../../ledger/core/errors';
import type { ItemOutputs } from '../../shared/itemLoop';
import { extendItems, releaseItems } from './lease';
import { resolveItems } from './resolve';
import { sealItems } from './seal';

type Action = (context: IExecuteFunctions, outputs: ItemOutputs) => Promise<void>;

const ACTIONS = new Map<unknown, Action>([
	['seal', sealItems],
	['extend', extendItems],
	['release', releaseItems],
	['resolve', resolveItems],
]);

/** @throws LedgerError INVALID_PARAMETER for an operation that isn't one */
export function actionOf(operation: unknown): Action {
	const action = ACTIONS.get(operation);
	if (action) return action;
	throw new LedgerError('INVALID_PARAMETER', 'Operation must be seal, extend, release or resolve');
}
