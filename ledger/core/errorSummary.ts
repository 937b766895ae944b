import { errorFacts } from './outcome/errorFacts';
import type { ErrorFacts } from './outcome/errorFacts';
import type { StoredError } from './record';
import { redactText } from './redaction';

/** Enough for a person to recognise the cause; details are in n8n's execution. */
const LONGEST_MESSAGE = 500;
/** More than is kept, since redaction shortens; looking for secrets in a whole document takes seconds. */
const LONGEST_READ = 4_000;

/**
 * Any error value as the ledger keeps it: code, HTTP status and a message, shortened to 500 characters,
 * secrets redacted. Never throws.
 */
export function summarizeError(error: unknown): StoredError {
	return storedError(errorFacts([error]));
}

/** The same of what has been gathered already. */
export function storedError({ status, smtpReply, codes, texts, answerCodes, answerTexts }: ErrorFacts): StoredError {
	const code = codes[0] ?? answerCodes[0] ?? (smtpReply === null ? null : String(smtpReply));
	const message = texts[0] ?? answerTexts[0] ?? 'The error has no message';
	return { code, httpStatus: status, message: shorten(redactText(message.slice(0, LONGEST_READ))) };
}

function shorten(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= LONGEST_MESSAGE) return line;
	// Not in the middle of a character: half of one can't be stored everywhere.
	return `${line.slice(0, LONGEST_MESSAGE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
