import { errorFacts, NO_FACTS } from './errorFacts';
import type { ErrorFacts } from './errorFacts';

/** How much of a text body tells what went wrong. */
const BODY_EXCERPT = 200;

/**
 * The full response that HTTP Request gives with *Include Response Headers and Status* (and *Never
 * Error*): `{body, headers, statusCode, statusMessage}`, where `body` has another name, or is binary, for
 * texts and files. A business field called statusCode alone is none: headers and one more have to be there.
 */
export function fullResponse(json: unknown): ErrorFacts | null {
	if (json === null || typeof json !== 'object' || Array.isArray(json)) return null;
	const own = (name: string) => (Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined);
	const status = own('statusCode');
	const headers = own('headers');
	if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return null;
	if (headers === null || typeof headers !== 'object' || Array.isArray(headers)) return null;
	if (own('body') === undefined && typeof own('statusMessage') !== 'string') return null;

	const line = ['HTTP', status, own('statusMessage')].filter((part) => part !== undefined && part !== null && part !== '').join(' ');
	const text = bodyText(own('body'));
	const { answerCodes } = errorFacts([{ body: own('body') }]);
	return {
		...NO_FACTS,
		status,
		texts: [text === null ? line : `${line}: ${text}`],
		answerCodes,
		headers: headers as Record<string, unknown>,
	};
}

/** What the body says went wrong, where APIs usually say it. */
function bodyText(body: unknown): string | null {
	if (typeof body === 'string') return body.trim() === '' ? null : body.trim().slice(0, BODY_EXCERPT);
	if (body === null || typeof body !== 'object') return null;
	const { error, message, detail, title } = body as Record<string, unknown>;
	const inner = error !== null && typeof error === 'object' ? (error as Record<string, unknown>).message : error;
	return [message, inner, detail, title].find((one): one is string => typeof one === 'string' && one !== '') ?? null;
}
