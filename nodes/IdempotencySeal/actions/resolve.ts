import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ResolveCommand } from '../../../ledger/core/commands';
import { LedgerError } from '../../../ledger/core/errors';
import type { Json } from '../../../ledger/core/record';
import { withLedger } from '../../../ledger/stores/ledgerRegistry';
import type { ItemOutputs } from '../../shared/itemLoop';
import { loadLedgerCredential } from '../../shared/ledgerCredential';
import { checkNumber } from '../../shared/numberParameter';
import { checkOutputField } from '../../shared/outputField';
import { answerJson, OUTPUT, statusOf } from '../sealAnswer';

const LONGEST_TEXT = 2000;

/** Record a person's decision for each item, on the revision and token that were looked at. */
export async function resolveItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	const { settings } = await loadLedgerCredential(context);
	const commands = new Map<number, { command: ResolveCommand; field: string }>();
	for (const itemIndex of outputs.items.keys()) {
		let field: string | undefined;
		try {
			const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
			field = checkOutputField(options.outputField ?? 'idempotency');
			commands.set(itemIndex, { command: commandOf(context, itemIndex, options), field });
		} catch (error) {
			outputs.fail(itemIndex, error, {}, { field });
		}
	}
	if (commands.size === 0 || (outputs.hasFailed && outputs.stopsOnFailure)) return;

	const answers = await withLedger(settings, (store) => store.resolve([...commands.values()].map(({ command }) => command)));
	[...commands].forEach(([itemIndex, { field }], index) => {
		const answer = answers[index];
		outputs.send(itemIndex, OUTPUT[statusOf(answer)], answerJson(answer), { field });
	});
}

function commandOf(context: IExecuteFunctions, itemIndex: number, options: IDataObject): ResolveCommand {
	const decision = context.getNodeParameter('decision', itemIndex);
	if (decision !== 'succeeded' && decision !== 'retry' && decision !== 'failed') {
		throw new LedgerError('INVALID_PARAMETER', 'Decision must be succeeded, retry or failed');
	}
	const revision = context.getNodeParameter('recordRevision', itemIndex);
	const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true };
	const succeeded = decision === 'succeeded';
	return {
		key: required(context, itemIndex, 'recordKey', 'Key'),
		token: required(context, itemIndex, 'recordToken', 'Token Looked At'),
		revision: checkNumber('Revision Looked At', revision, bounds),
		decision,
		force: options.force === true,
		who: required(context, itemIndex, 'decidedBy', 'Decided By'),
		why: required(context, itemIndex, 'decisionReason', 'Reason'),
		result: succeeded ? resultOf(context.getNodeParameter('resolvedResult', itemIndex, '')) : null,
		externalId: succeeded ? textOrNull(context.getNodeParameter('resolvedExternalId', itemIndex, '')) : null,
		acceptChangedPayload: decision === 'retry' && options.acceptChangedPayload === true,
		executionId: context.getExecutionId() || null,
	};
}

function required(context: IExecuteFunctions, itemIndex: number, name: string, label: string): string {
	const text = textOrNull(context.getNodeParameter(name, itemIndex));
	if (text === null) throw new LedgerError('INVALID_PARAMETER', `${label} is empty`, { advice: `Fill in ${label}: a decision is kept with it.` });
	if (text.length > LONGEST_TEXT) throw new LedgerError('INVALID_PARAMETER', `${label} is longer than ${LONGEST_TEXT} characters`);
	return text;
}

function textOrNull(value: unknown): string | null {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** JSON text as the field gives it, or a value as an expression gives it; nothing keeps the stored result. */
function resultOf(value: unknown): Json {
	if (value === null || value === undefined || value === '') return null;
	if (typeof value !== 'string') return value as Json;
	try {
		return JSON.parse(value) as Json;
	} catch (error) {
		throw notJson(error);
	}
}

const notJson = (cause: unknown) =>
	new LedgerError('INVALID_PARAMETER', 'Result is not valid JSON', { cause, advice: 'Correct the JSON, or leave Result empty.' });
