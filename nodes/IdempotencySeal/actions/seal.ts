import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Answer, SealCommand, SealOutcome } from '../../../ledger/core/commands';
import { retryDelayMs } from '../../../ledger/core/retryPolicy';
import { withLedger } from '../../../ledger/stores/ledgerRegistry';
import type { ItemOutputs } from '../../shared/itemLoop';
import { loadLedgerCredential } from '../../shared/ledgerCredential';
import { checkNumber } from '../../shared/numberParameter';
import { checkOutputField } from '../../shared/outputField';
import { Attempts, verdictOf } from '../attempts';
import type { Attempt, Verdict } from '../attempts';
import { claimsOfItems } from '../claimOfItem';
import { forClaim, reportOfItem } from '../itemReport';
import { isRerun } from '../rerun';
import { holderJson, mostUrgent, OUTPUT, statusOf, waitForAll } from '../sealAnswer';

/**
 * Seal the attempt of each item. Several items of one claim are sealed once; an item behind several
 * claims seals each, and leaves by the output that needs most attention.
 */
export async function sealItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	const { settings } = await loadLedgerCredential(context);
	const attempts = collectAttempts(context, outputs);
	// A run that is going to stop still says what is known: the effects of the other items have happened.
	if (attempts.all.length === 0) return;

	const verdicts = new Map(attempts.all.map((attempt) => [attempt, verdictOf(attempt)]));
	const commands = commandsOf(context, outputs, verdicts);
	if (commands.size === 0) return;
	const answers = await withLedger(settings, (store) => store.seal([...commands.values()]));
	const answerOf = new Map([...commands.keys()].map((attempt, index) => [attempt, answers[index]]));

	const longestWait = waitForAll(answers);
	for (const itemIndex of attempts.itemIndexes) {
		if (outputs.isSettled(itemIndex)) continue;
		const own = attempts.ofItem(itemIndex);
		const worst = mostUrgent(own.map((attempt) => answerOf.get(attempt)!));
		const attempt = own.find((one) => answerOf.get(one) === worst)!;
		const json = describe(attempt, verdicts.get(attempt)!, worst, own);
		if (json.status === 'retry') json.retryInMs = longestWait;
		outputs.send(itemIndex, OUTPUT[statusOf(worst)], json, { field: outputField(context, itemIndex) });
	}
}

function collectAttempts(context: IExecuteFunctions, outputs: ItemOutputs): Attempts {
	const attempts = new Attempts();
	const claimsOf = claimsOfItems(context);
	for (const itemIndex of outputs.items.keys()) {
		let field: string | undefined;
		try {
			field = outputField(context, itemIndex);
			const claims = claimsOf(itemIndex);
			// Always Output Data on the effect made it beside failures: it says nothing about them.
			if (claims.path?.isGhost && claims.path.sideways.errors > 0) {
				outputs.settle(itemIndex);
				continue;
			}
			const report = reportOfItem(context, itemIndex, claims);
			claims.handles.forEach((handle, n) => attempts.add(handle, forClaim(report, claims.path?.claims[n].sideways)));
		} catch (error) {
			outputs.fail(itemIndex, error, {}, { field });
		}
	}
	return attempts;
}

/** One command for each attempt. A setting that can't be used fails its own items, and loses no other's outcome. */
function commandsOf(context: IExecuteFunctions, outputs: ItemOutputs, verdicts: Map<Attempt, Verdict>): Map<Attempt, SealCommand> {
	const commands = new Map<Attempt, SealCommand>();
	for (const [attempt, verdict] of verdicts) {
		try {
			commands.set(attempt, commandOf(context, attempt, verdict));
		} catch (error) {
			for (const { itemIndex } of attempt.reports) outputs.fail(itemIndex, error, {}, { field: outputField(context, itemIndex) });
		}
	}
	return commands;
}

function commandOf(context: IExecuteFunctions, { handle, reports }: Attempt, verdict: Verdict): SealCommand {
	const { itemIndex } = reports[0];
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const { key, token, attempt, operation, businessId, scope, version, ephemeral } = handle;
	return {
		key,
		token,
		attempt,
		operation,
		businessId,
		scope,
		version,
		ephemeral,
		word: verdict.word,
		result: verdict.result,
		externalId: verdict.externalId,
		error: verdict.error,
		...retryTerms(context, itemIndex, attempt, verdict),
		rerun: isRerun(context, handle),
		externalIdIsUnique: options.externalIdIsUnique !== false,
		executionId: context.getExecutionId() || null,
	};
}

/** When to try again; after a success nobody asks, and no mistake in these settings keeps it from being sealed. */
function retryTerms(
	context: IExecuteFunctions,
	itemIndex: number,
	attempt: number,
	{ word, retryAfterMs }: Verdict,
): Pick<SealCommand, 'retryDelayMs' | 'deadlineSeconds'> {
	if (word === 'success') return { retryDelayMs: 0, deadlineSeconds: null };
	const retry = context.getNodeParameter('retry', itemIndex, {}) as IDataObject;
	const deadlineHours = checkNumber('Deadline (Hours)', retry.deadlineHours ?? 0, { min: 0, max: 87_600 });
	return {
		retryDelayMs: retryDelayMs({
			attempt,
			baseMs: checkNumber('Base Delay (Seconds)', retry.baseDelaySeconds ?? 5, { min: 0, max: 86_400 }) * 1000,
			capMs: checkNumber('Delay Cap (Seconds)', retry.delayCapSeconds ?? 3600, { min: 0, max: 2_592_000 }) * 1000,
			retryAfterMs,
		}),
		deadlineSeconds: deadlineHours === 0 ? null : Math.round(deadlineHours * 3600),
	};
}

function describe(
	{ handle, reports }: Attempt,
	verdict: Verdict,
	answer: Answer<SealOutcome>,
	own: Attempt[],
): IDataObject {
	const json: IDataObject = { ...holderJson(answer, handle), evidence: verdict.evidence };
	const note = reports.find(({ resultNote }) => resultNote !== null)?.resultNote;
	if (note) json.resultNote = note;
	// What the walk of a later Seal looks for, so that it passes on to the claim around this one.
	json.sealedTokens = own.map((one) => one.handle.token);
	return json;
}

function outputField(context: IExecuteFunctions, itemIndex: number): string {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	return checkOutputField(options.outputField ?? 'idempotency');
}
