import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isLedgerError } from '../../ledger/core/errors';
import { withLedger } from '../../ledger/stores/ledgerRegistry';
import type { ItemOutputs } from '../shared/itemLoop';
import { loadLedgerCredential } from '../shared/ledgerCredential';
import { describeAnswer } from './claimAnswer';
import { ClaimBatch } from './claimBatch';
import type { ClaimResult, Ledger } from './claimBatch';
import { readRequests } from './claimParameters';
import type { ItemRequest } from './claimParameters';

type Batch = ClaimBatch<ItemRequest>;
type Result = ClaimResult<ItemRequest>;

/**
 * Claim the keys of all items, in one round trip, and send each item where its answer belongs.
 * What isn't settled when this returns or throws has failed (see `runFailClosed`).
 */
export async function claimItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	const credential = await loadLedgerCredential(context);
	const requests = readRequests(context, outputs, credential.hashSecret);
	if (requests.length === 0) return;

	const ledger: Ledger = (use) => withLedger(credential.settings, use);
	const batch = new ClaimBatch(ledger, requests);
	await batch.claim();
	await settle(context, outputs, batch);
	for (const result of batch.results) {
		if (!outputs.isSettled(result.request.itemIndex)) route(outputs, result);
	}
	noteKey(context, batch);
}

/** Waiting, and everything that keeps a claim from leaving the node. */
async function settle(context: IExecuteFunctions, outputs: ItemOutputs, batch: Batch): Promise<void> {
	const failed = (results: Result[], error: unknown) =>
		results.forEach(({ request }) => outputs.fail(request.itemIndex, error, { key: request.command.key }, { field: request.outputField }));

	if (batch.worthWaitingFor().length > 0) {
		const waiting = batch.worthWaitingFor();
		await batch.waitWhileInProgress(context.getExecutionCancelSignal?.()).catch((error) => {
			if (isLedgerError(error) && error.code === 'CLOSED' && context.getExecutionCancelSignal?.()?.aborted) {
				return failed(batch.results, error);
			}
			failed(waiting.filter(({ guarded }) => guarded.answer.outcome === 'in_progress'), error);
		});
		if (!outputs.stopsOnFailure || !outputs.hasFailed) {
			await batch.renew().catch((error) => failed(batch.claimed(), error));
		}
	}
	for (const result of batch.results) {
		if (!result.guarded.released) failed([result], result.guarded.error);
	}
	// Nothing leaves the node for a failed item, or for any when the run stops: their effects won't be attempted.
	const stops = outputs.hasFailed && outputs.stopsOnFailure;
	await batch.giveBack(batch.results.filter(({ request }) => stops || outputs.isSettled(request.itemIndex)));
}

function route(outputs: ItemOutputs, { request, guarded: { answer }, heldByItem }: Result): void {
	const { itemIndex, outputField: field } = request;
	try {
		const { output, fields } = describeAnswer(answer, heldByItem);
		const json = request.replayAs === 'json' && answer.outcome === 'succeeded' ? replayed(answer.record!.result) : undefined;
		outputs.send(itemIndex, output, fields, { field, json });
	} catch (error) {
		outputs.fail(itemIndex, error, { key: request.command.key }, { field });
	}
}

/** The stored result as an item; one that isn't an object goes under `result`. */
function replayed(result: unknown): IDataObject | undefined {
	if (result === null) return undefined;
	if (typeof result === 'object' && !Array.isArray(result)) return result as IDataObject;
	return { result } as IDataObject;
}

/** n8n refuses values above this length with a line in its log. */
const LONGEST_CUSTOM_DATA = 255;

/** Lets people find the execution by its key in n8n's list of executions. */
function noteKey(context: IExecuteFunctions, batch: Batch): void {
	try {
		context.customData.set('idempotency_key', batch.results[0].request.command.key.slice(0, LONGEST_CUSTOM_DATA));
	} catch {
		// Ten entries are the most that n8n keeps, and tools may have none: the key is a convenience.
	}
}
