import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import type { DetectedOutcome } from '../../ledger/core/outcomeDetection';
import { selectResult } from '../../ledger/core/storedResult';
import { OUTCOME_WORDS } from '../../ledger/core/states';
import type { OutcomeWord } from '../../ledger/core/states';
import { DEFAULT_OUTPUT_FIELD } from '../shared/claimHandle';
import type { Sideways } from '../shared/lineage';
import { checkNumber } from '../shared/numberParameter';
import type { ItemReport } from './attempts';
import type { ClaimsOfItem } from './claimOfItem';
import { outcomeOfItem } from './outcomeOfItem';

const LONGEST_EXTERNAL_ID = 512;

/**
 * What one item says of the effect: its outcome, its result, its external ID.
 * @throws LedgerError EFFECT_NOT_RUN, INVALID_PARAMETER
 */
export function reportOfItem(context: IExecuteFunctions, itemIndex: number, { path }: ClaimsOfItem): ItemReport {
	const item = context.getInputData()[itemIndex];
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const detected = outcomeOfItem(item, path?.claims ?? [], {
		retryableCodes: codes(options.retryableCodes),
		permanentCodes: codes(options.permanentCodes),
		unknownCodes: codes(options.unknownCodes),
		destinationHonoursKey: options.destinationHonorsKey === true,
	});
	const given = context.getNodeParameter('outcome', itemIndex);
	if (given === 'detect') refuseUnproven(path);
	const { word, evidence, error } = given === 'detect' ? unlessDenied(detected, options) : asGiven(givenWord(given), detected);

	const { result, note } = selectResult(item.json, resultSelection(context, itemIndex, options));
	return {
		itemIndex,
		word,
		evidence,
		error: word === 'success' ? null : error,
		retryAfterMs: detected.retryAfterMs,
		result: word === 'success' ? result : null,
		resultNote: note,
		externalId: word === 'success' ? externalId(context.getNodeParameter('externalId', itemIndex, '')) : null,
		mixed: false,
		detected: given === 'detect',
	};
}

/** The report as it counts for one claim: other items of that claim, elsewhere, may say the contrary. */
export function forClaim(report: ItemReport, sideways: Sideways | undefined): ItemReport {
	if (!report.detected || sideways === undefined) return report;
	const contrary = report.word === 'success' ? sideways.errors : sideways.successes;
	return { ...report, mixed: contrary > 0 };
}

/** No outcome is read off an item when it is known that the effect node didn't run. */
function refuseUnproven(path: ClaimsOfItem['path']): void {
	if (path?.pinned) {
		throw new LedgerError('EFFECT_NOT_RUN', 'A node between the claim and this node has pinned data, so its effect did not run');
	}
	if (path?.onlyDisabledBetween) {
		throw new LedgerError('EFFECT_NOT_RUN', 'Every node between the claim and this node is disabled, so no effect ran');
	}
}

type Judged = Pick<ItemReport, 'word' | 'evidence' | 'error'>;

const asGiven = (word: OutcomeWord, { error }: DetectedOutcome): Judged => ({ word, evidence: 'Outcome was set in this node', error });

/** A 200 whose body says that it failed: only true counts as success, and what else it is the user says. */
function unlessDenied(detected: DetectedOutcome, options: IDataObject): Judged {
	if (detected.word !== 'success' || !Object.hasOwn(options, 'succeededWhen') || options.succeededWhen === true) return detected;
	const word = givenWord(options.notSucceededAs ?? 'unknown');
	const evidence = 'There was no error, but Succeeded When was not true';
	return {
		word: word === 'unknown' && options.destinationHonorsKey === true ? 'unknown_retryable' : word,
		evidence,
		error: { code: 'SUCCEEDED_WHEN', httpStatus: null, message: evidence },
	};
}

function givenWord(value: unknown): OutcomeWord {
	const word = OUTCOME_WORDS.find((one) => one === value && one !== 'unknown_retryable');
	if (word !== undefined) return word;
	throw new LedgerError('INVALID_PARAMETER', 'Outcome must be detect, success, retryable, permanent or unknown');
}

function codes(value: unknown): string[] {
	const list = Array.isArray(value) ? value : String(value ?? '').split(',');
	return list.map((code) => String(code).trim()).filter((code) => code !== '');
}

function resultSelection(context: IExecuteFunctions, itemIndex: number, options: IDataObject) {
	const mode = context.getNodeParameter('resultToStore', itemIndex, 'fields');
	if (mode !== 'none' && mode !== 'fields' && mode !== 'whole') {
		throw new LedgerError('INVALID_PARAMETER', 'Result to Store must be none, fields or whole');
	}
	const maxKb = checkNumber('Max Result Size (KB)', options.maxResultKb ?? 64, { min: 1, max: 10_240 });
	return {
		mode: mode as 'none' | 'fields' | 'whole',
		fields: mode === 'fields' ? codes(context.getNodeParameter('resultFields', itemIndex, '')) : [],
		maxBytes: maxKb * 1024,
		redact: options.redactSecrets !== false,
		// The claim's handle is no part of the effect's result.
		except: String(options.outputField ?? DEFAULT_OUTPUT_FIELD),
	};
}

/**
 * An external ID that can't be used must not lose the success: what isn't a short text or a number
 * counts as none.
 */
function externalId(value: unknown): string | null {
	const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
	if (typeof text !== 'string' || text.trim() === '') return null;
	return text.trim().slice(0, LONGEST_EXTERNAL_ID);
}
