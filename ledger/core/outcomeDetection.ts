import { errorFacts } from './outcome/errorFacts';
import type { ErrorFacts } from './outcome/errorFacts';
import { judgeCode, judgeSmtpReply, judgeStatus } from './outcome/judge';
import type { Judgement } from './outcome/judge';
import { factsOfText } from './outcome/knownTexts';
import { fullResponse } from './outcome/httpResponse';
import { retryAfterMs } from './outcome/retryAfter';
import { storedError } from './errorSummary';
import type { StoredError } from './record';
import type { OutcomeWord } from './states';

/** An item as the effect left it: n8n's INodeExecutionData, as far as it tells of the outcome. */
export interface ItemWithOutcome {
	json: unknown;
	/** n8n puts a node's whole error here, and only its message into json */
	error?: unknown;
}

export interface DetectionOptions {
	/**
	 * Statuses (`503`, `5xx`) or error codes, in any letter case, that are judged other than by default.
	 * In several lists: unknown wins over permanent, permanent over retryable.
	 */
	retryableCodes?: string[];
	permanentCodes?: string[];
	unknownCodes?: string[];
	/** the request carried the key and the destination acts on a key once: unknown may be retried */
	destinationHonoursKey?: boolean;
	/** epoch ms; for a Retry-After date of an answer that has no date of its own */
	now?: number;
}

export interface DetectedOutcome {
	word: OutcomeWord;
	/** null for a success */
	error: StoredError | null;
	/** how long the destination asks to wait, from now; null when it doesn't */
	retryAfterMs: number | null;
	/** one short sentence without a final period: what was seen and what follows */
	evidence: string;
}

/**
 * Read an outcome off an item (design, section 5). Retryable is only what certainly wasn't carried out;
 * whatever isn't recognised is unknown. Never throws.
 *
 * An `error` wins over a full response beside it: n8n's error output keeps the fields that the item
 * came with, and a response among those is of an earlier call.
 */
export function detectOutcome(item: ItemWithOutcome, options: DetectionOptions = {}): DetectedOutcome {
	const errors = errorsOf(item);
	if (errors.length > 0) return failed(errorFacts(errors), options);
	const response = fullResponse(item.json);
	if (response === null) return success('The item has no error');
	if (response.status !== null && response.status >= 200 && response.status < 300) {
		const listed = judgeListed(response, options);
		if (listed === null) return success(`The response has status ${response.status}`);
	}
	return failed(response, options);
}

function success(evidence: string): DetectedOutcome {
	return { word: 'success', error: null, retryAfterMs: null, evidence };
}

function failed(facts: ErrorFacts, options: DetectionOptions): DetectedOutcome {
	const { word, evidence } = judgeListed(facts, options) ?? judge(facts);
	return {
		word: word === 'unknown' && options.destinationHonoursKey ? 'unknown_retryable' : word,
		error: storedError(facts),
		retryAfterMs: retryAfterMs(facts.headers, facts.status, options.now ?? Date.now()),
		evidence,
	};
}

/** The server's answer says more than a code of the client, and a code more than a text. */
function judge(facts: ErrorFacts): Judgement {
	if (facts.smtpReply !== null) return judgeSmtpReply(facts.smtpReply);
	if (facts.status !== null) return judgeStatus(facts.status);
	for (const code of facts.codes) {
		const judgement = judgeCode(code, facts);
		if (judgement !== null) return judgement;
	}
	for (const text of facts.texts) {
		const { status, smtpReply, code } = factsOfText(text) ?? {};
		if (smtpReply !== undefined) return judgeSmtpReply(smtpReply);
		if (status !== undefined) return judgeStatus(status);
		const judgement = code === undefined ? null : judgeCode(code, { isSql: true });
		if (judgement !== null) return judgement;
	}
	return { word: 'unknown', evidence: `${named(facts)} does not tell whether the effect happened` };
}

function judgeListed(facts: ErrorFacts, options: DetectionOptions): Judgement | null {
	const { status, smtpReply, codes, answerCodes } = facts;
	const seen = [status, smtpReply, ...codes, ...answerCodes].filter((one) => one !== null).map((one) => String(one).toUpperCase());
	if (status !== null) seen.push(`${Math.floor(status / 100)}XX`);
	for (const [word, list] of [
		['unknown', options.unknownCodes],
		['permanent', options.permanentCodes],
		['retryable', options.retryableCodes],
	] as const) {
		const hit = list?.map((code) => code.trim().toUpperCase()).find((code) => seen.includes(code));
		if (hit !== undefined) return { word, evidence: `${hit} is listed under ${LIST_NAMES[word]}` };
	}
	return null;
}

const LIST_NAMES = { unknown: 'Unknown Codes', permanent: 'Permanent Codes', retryable: 'Retryable Codes' };

function named({ codes, answerCodes }: ErrorFacts): string {
	const code = codes[0] ?? answerCodes[0];
	return code === undefined ? 'The error' : `Error ${code}`;
}

/** What n8n or a node marked as failed; an API's empty `error` field is none. */
function errorsOf(item: ItemWithOutcome): unknown[] {
	const json = item.json !== null && typeof item.json === 'object' ? (item.json as Record<string, unknown>) : {};
	const own = Object.hasOwn(json, 'error') ? json.error : undefined;
	return [item.error, own].filter((one) => !isNoError(one)).map((one) => withMessageBeside(one, json));
}

/** Not `{}`: that is what an Error becomes as JSON. */
function isNoError(value: unknown): boolean {
	if (value === undefined || value === null || value === false || value === '' || value === 0) return true;
	return Array.isArray(value) && value.length === 0;
}

/** Database nodes give `{message, error: {…}}`, where the spread error has lost its message. */
function withMessageBeside(error: unknown, json: Record<string, unknown>): unknown {
	if (error === null || typeof error !== 'object' || Array.isArray(error)) return error;
	if ('message' in error || typeof json.message !== 'string') return error;
	return { ...error, message: json.message };
}
