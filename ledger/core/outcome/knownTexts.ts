/** What a text stands for: one of the three. */
export interface KnownText {
	status?: number;
	smtpReply?: number;
	code?: string;
}

/**
 * The last resort: most of n8n's nodes hand on nothing but a message (`{error: "…"}`). Only texts that
 * have one fixed source are read: of Node.js, n8n's NodeApiError, axios, nodemailer and PostgreSQL, and
 * only from their beginning: further inside they may be quoted from an answer.
 */
export function factsOfText(given: string): KnownText | null {
	const text = given.trim().replace(PREFACE, '');
	const exact = EXACT.get(text);
	if (exact !== undefined) return exact;
	const connect = CONNECT.exec(text)?.[1];
	if (connect !== undefined) return { code: CONNECTING.includes(connect) ? `connect ${connect}` : connect };
	const axios = /^Request failed with status code ([1-5]\d\d)$/.exec(text);
	if (axios) return { status: Number(axios[1]) };
	const mail = MAIL.exec(text);
	if (mail) return { smtpReply: Number(mail[1]) };
	return STARTS.find(([start]) => text.startsWith(start))?.[1] ?? null;
}

/** Known to have failed before anything was sent only when it's the connecting that failed. */
const CONNECTING = ['EHOSTUNREACH', 'ENETUNREACH'];

/**
 * n8n's words for statuses (n8n-workflow, node-api.error.ts). Not those for codes, such as "The service
 * refused the connection": n8n also writes them over a message that only mentions ECONNREFUSED, the
 * destination's own answer included.
 */
const EXACT = new Map<string, KnownText>([
	['Bad request - please check your parameters', { status: 400 }],
	['Authorization failed - please check your credentials', { status: 401 }],
	['Payment required - perhaps check your payment details?', { status: 402 }],
	['Forbidden - perhaps check your credentials?', { status: 403 }],
	['The resource you are requesting could not be found', { status: 404 }],
	['Method not allowed - please check you are using the right HTTP method', { status: 405 }],
	['The service is receiving too many requests from you', { status: 429 }],
	['deadlock detected', { code: '40P01' }],
]);

const STARTS: Array<[string, KnownText]> = [
	['could not serialize access due to ', { code: '40001' }],
	['self signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
	['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
	['certificate has expired', { code: 'CERT_HAS_EXPIRED' }],
	['unable to verify the first certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
	['unable to get local issuer certificate', { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }],
	["Hostname/IP does not match certificate's altnames", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
];

/** The name of an error, as `String(error)` writes it, and what node-fetch writes before Node.js' message. */
const PREFACE = /^(?:(?:[A-Za-z]*Error|request to \S+ failed, reason): )*/;

const CONNECT = /^(?:connect|getaddrinfo) (E[A-Z_]+)\b/;

const MAIL =
	/^(?:Invalid login|Mail command failed|Can't send mail - all recipients were rejected|Data command failed|Message failed): ([45]\d\d)\b/;
