/** What an error tells, wherever in it that stands. */
export interface ErrorFacts {
	/** HTTP status, 100 … 599 */
	status: number | null;
	/** reply code of a mail server, 400 … 599 */
	smtpReply: number | null;
	/** codes of the error and the errors behind it, the outermost first */
	codes: string[];
	/** messages of the same */
	texts: string[];
	/**
	 * Codes and messages in the body of an answer. That there is an answer means that the request arrived,
	 * so an ECONNREFUSED in it is about something behind the destination, and proves nothing here.
	 */
	answerCodes: string[];
	answerTexts: string[];
	/** response headers */
	headers: Record<string, unknown> | null;
	/** the error is of a database, so that a code of five digits is an SQLSTATE */
	isSql: boolean;
}

/** Where libraries and n8n keep the error behind an error, and the answer that caused it. */
const INNER = ['cause', 'error', 'errorResponse', 'response', 'reason', 'originalError', 'context'];
/** Where the body of an answer begins; whatever is further inside belongs to it. */
const BODY = ['data', 'body'];
const STATUS_NAMES = ['status', 'statusCode', 'httpCode', 'httpStatus', 'status_code', 'code'];
const CODE_NAMES = ['code', 'errorCode', 'error_code', 'sqlState', 'sqlstate', 'lc_error_code', 'status', 'httpCode', 'errno'];
const SQL_NAMES = ['severity', 'routine', 'sqlState', 'sqlstate', 'sqlMessage'];
const SMTP_CODE = /^E(?:AUTH|CONNECTION|ENVELOPE|MESSAGE|PROTOCOL|SOCKET|TLS)$/;
/** Deep enough for n8n's error around a library's around the answer's body. */
const DEEPEST = 5;

export const NO_FACTS: ErrorFacts = {
	status: null,
	smtpReply: null,
	codes: [],
	texts: [],
	answerCodes: [],
	answerTexts: [],
	headers: null,
	isSql: false,
};

interface Layer {
	value: unknown;
	inBody: boolean;
}

/** Gather what one or several errors say, outermost first. Reads own and inherited fields, never throws. */
export function errorFacts(errors: unknown[]): ErrorFacts {
	const facts: ErrorFacts = { ...NO_FACTS, codes: [], texts: [], answerCodes: [], answerTexts: [] };
	const seen = new Set<unknown>();
	let level: Layer[] = errors.map((value) => ({ value, inBody: false }));
	let answerStatus: number | null = null;
	for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
		const next: Layer[] = [];
		for (const { value, inBody } of level) {
			if (typeof value === 'string') addText(inBody ? facts.answerTexts : facts.texts, value);
			if (value === null || typeof value !== 'object' || seen.has(value)) continue;
			seen.add(value);
			// A list of errors, as Google and JSON:API give it: the first one stands for it.
			if (Array.isArray(value)) {
				next.push(...value.slice(0, 1).map((first: unknown) => ({ value: first, inBody })));
				continue;
			}
			const read = (name: string) => readProperty(value, name);
			if (inBody) answerStatus ??= addAnswer(facts, read);
			else addError(facts, read);
			next.push(...inside(INNER, read, inBody), ...inside(BODY, read, true));
		}
		level = next;
	}
	facts.status ??= answerStatus;
	facts.codes = [...new Set(facts.codes)];
	return facts;
}

type Read = (name: string) => unknown;

function inside(names: string[], read: Read, inBody: boolean): Layer[] {
	return names
		.map((name) => ({ value: read(name), inBody }))
		.filter(({ value }) => value !== null && (typeof value === 'object' || typeof value === 'string'));
}

function addError(facts: ErrorFacts, read: Read): void {
	facts.smtpReply ??= smtpReplyOf(read);
	facts.status ??= statusIn(read);
	const grpc = grpcCodeOf(read);
	facts.codes.push(...codesIn(read), ...(grpc === null ? [] : [grpc]));
	facts.isSql ||= SQL_NAMES.some((name) => typeof read(name) === 'string');
	for (const text of [read('message'), ...asList(read('messages')), read('description')]) addText(facts.texts, text);
	const headers = read('headers');
	if (headers !== null && typeof headers === 'object') facts.headers ??= headers as Record<string, unknown>;
}

/** Returns the status that the body names; it counts when the error itself has none. */
function addAnswer(facts: ErrorFacts, read: Read): number | null {
	facts.answerCodes.push(...codesIn(read));
	addText(facts.answerTexts, read('message'));
	return statusIn(read);
}

function statusIn(read: Read): number | null {
	return STATUS_NAMES.map((name) => statusOf(read(name))).find((status) => status !== null) ?? null;
}

function codesIn(read: Read): string[] {
	return CODE_NAMES.map((name) => codeOf(read(name), name)).filter((code) => code !== null);
}

export function statusOf(value: unknown): number | null {
	const number = typeof value === 'string' && /^[1-5]\d\d$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599 ? number : null;
}

/** nodemailer's `responseCode` beside one of its own codes; another library's field of that name is no reply. */
function smtpReplyOf(read: Read): number | null {
	const reply = read('responseCode');
	const code = read('code');
	const ofMail = (typeof code === 'string' && SMTP_CODE.test(code)) || typeof read('command') === 'string';
	return ofMail && typeof reply === 'number' && reply >= 400 && reply <= 599 ? reply : null;
}

function codeOf(value: unknown, name: string): string | null {
	if (statusOf(value) !== null) return null;
	// `status` and `errno` are codes only when they look like one: INVALID_ARGUMENT, not "failed" or -111.
	if (name === 'status' || name === 'errno') return typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value) ? value : null;
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	return typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : null;
}

/** gRPC numbers its codes; `details` and `metadata` tell them from other small numbers. */
function grpcCodeOf(read: Read): string | null {
	const code = read('code');
	const isGrpc = typeof read('details') === 'string' && typeof read('metadata') === 'object';
	return isGrpc && typeof code === 'number' ? (GRPC_NAMES[code] ?? null) : null;
}

const GRPC_NAMES = [
	'OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED',
	'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE',
	'DATA_LOSS', 'UNAUTHENTICATED',
];

function addText(texts: string[], text: unknown): void {
	if (typeof text === 'string' && text.trim() !== '' && !texts.includes(text)) texts.push(text);
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 20) : []);

/** A getter that throws says nothing. */
function readProperty(object: object, name: string): unknown {
	try {
		return (object as Record<string, unknown>)[name];
	} catch {
		return undefined;
	}
}
