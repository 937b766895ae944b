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
export function storedError({ status, smtpReply, codes, texts }: ErrorFacts): StoredError {
	const code = codes[0] ?? (smtpReply === null ? null : String(smtpReply));
	return { code, httpStatus: status, message: shorten(redactText((texts[0] ?? 'The error has no message').slice(0, LONGEST_READ))) };
}

function shorten(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= LONGEST_MESSAGE) return line;
	// Not in the middle of a character: half of one can't be stored everywhere.
	return `${line.slice(0, LONGEST_MESSAGE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
