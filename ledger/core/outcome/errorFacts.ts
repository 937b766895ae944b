/** What an error tells, wherever in it that stands. */
export interface ErrorFacts {
	/** HTTP status, 100 … 599 */
	status: number | null;
	/** reply code of a mail server, 400 … 599 */
	smtpReply: number | null;
	/** error codes, the outermost first */
	codes: string[];
	/** messages, the outermost first */
	texts: string[];
	/** response headers */
	headers: Record<string, unknown> | null;
	/** the error is of a database, so that a code of five digits is an SQLSTATE */
	isSql: boolean;
}

/** Where libraries and n8n keep the error behind an error, and the answer that caused it. */
const INNER = ['cause', 'error', 'errorResponse', 'response', 'reason', 'originalError', 'context', 'data', 'body'];
const STATUS_NAMES = ['status', 'statusCode', 'httpCode', 'httpStatus', 'status_code', 'code'];
const CODE_NAMES = ['code', 'errorCode', 'error_code', 'sqlState', 'sqlstate', 'lc_error_code', 'status', 'httpCode', 'errno'];
const SQL_NAMES = ['severity', 'routine', 'sqlState', 'sqlstate', 'sqlMessage'];
const SMTP_CODE = /^E(?:AUTH|CONNECTION|ENVELOPE|MESSAGE|PROTOCOL|SOCKET|TLS)$/;
/** Deep enough for n8n's error around a library's around the answer's body. */
const DEEPEST = 5;

/** Gather what one or several errors say, outermost first. Reads own and inherited fields, never throws. */
export function errorFacts(errors: unknown[]): ErrorFacts {
	const facts: ErrorFacts = { status: null, smtpReply: null, codes: [], texts: [], headers: null, isSql: false };
	const seen = new Set<unknown>();
	let level = errors;
	for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
		const next: unknown[] = [];
		for (const error of level) {
			if (typeof error === 'string') addText(facts, error);
			if (error === null || typeof error !== 'object' || seen.has(error)) continue;
			seen.add(error);
			// A list of errors, as Google and JSON:API give it: the first one stands for it.
			next.push(...(Array.isArray(error) ? error.slice(0, 1) : addFacts(facts, error)));
		}
		level = next;
	}
	facts.codes = [...new Set(facts.codes)];
	return facts;
}

/** Add what this error says itself; returns what is inside it. */
function addFacts(facts: ErrorFacts, error: object): unknown[] {
	const read = (name: string) => readProperty(error, name);
	facts.smtpReply ??= smtpReplyOf(read);
	facts.status ??= STATUS_NAMES.map((name) => statusOf(read(name))).find((status) => status !== null) ?? null;
	for (const name of CODE_NAMES) {
		const code = codeOf(read(name), name);
		if (code !== null) facts.codes.push(code);
	}
	const grpc = grpcCodeOf(read);
	if (grpc !== null) facts.codes.push(grpc);
	facts.isSql ||= SQL_NAMES.some((name) => typeof read(name) === 'string');
	for (const text of [read('message'), ...asList(read('messages')), read('description')]) addText(facts, text);
	const headers = read('headers');
	if (headers !== null && typeof headers === 'object') facts.headers ??= headers as Record<string, unknown>;
	return INNER.map(read).filter((inner) => inner !== null && (typeof inner === 'object' || typeof inner === 'string'));
}

export function statusOf(value: unknown): number | null {
	const number = typeof value === 'string' && /^[1-5]\d\d$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599 ? number : null;
}

/** nodemailer's `responseCode` beside one of its own codes; another library's field of that name is no reply. */
function smtpReplyOf(read: (name: string) => unknown): number | null {
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
function grpcCodeOf(read: (name: string) => unknown): string | null {
	const code = read('code');
	const isGrpc = typeof read('details') === 'string' && typeof read('metadata') === 'object';
	return isGrpc && typeof code === 'number' ? (GRPC_NAMES[code] ?? null) : null;
}

const GRPC_NAMES = [
	'OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED',
	'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE',
	'DATA_LOSS', 'UNAUTHENTICATED',
];

function addText(facts: ErrorFacts, text: unknown): void {
	if (typeof text === 'string' && text.trim() !== '' && !facts.texts.includes(text)) facts.texts.push(text);
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
