import type { OutcomeWord } from '../states';

export interface Judgement {
	word: Exclude<OutcomeWord, 'success' | 'unknown_retryable'>;
	/** one short sentence without a final period */
	evidence: string;
}

const NOT_CARRIED_OUT = 'so the request was not carried out';
const REFUSED = 'so it was refused';
const NOBODY_KNOWS = 'so the effect may have happened';

/** Statuses of 4xx after which the effect may have happened, or has: a time-out, a conflict, too early. */
const UNKNOWN_4XX = [408, 409, 425, 499];

/** RFC 9110, section 15; 499 is nginx for a client that went away. */
export function judgeStatus(status: number): Judgement {
	const seen = `Status ${status} was returned`;
	if (status === 429) return { word: 'retryable', evidence: `${seen}, ${NOT_CARRIED_OUT}` };
	if (status >= 400 && status < 500 && !UNKNOWN_4XX.includes(status)) return { word: 'permanent', evidence: `${seen}, ${REFUSED}` };
	if (status >= 200 && status < 300) return { word: 'unknown', evidence: `Status ${status} was returned together with an error, ${NOBODY_KNOWS}` };
	if (status < 400) return { word: 'unknown', evidence: `${seen}, which is no final answer, ${NOBODY_KNOWS}` };
	return { word: 'unknown', evidence: `${seen}, ${NOBODY_KNOWS}` };
}

/** RFC 5321, 4.2.1: 4yz not accepted now, 5yz not accepted; either way the server didn't take the mail. */
export function judgeSmtpReply(reply: number): Judgement {
	const seen = `The mail server replied ${reply}`;
	if (reply < 500) return { word: 'retryable', evidence: `${seen}, ${NOT_CARRIED_OUT}` };
	return { word: 'permanent', evidence: `${seen}, ${REFUSED}` };
}

/**
 * Judge one error code, or null for a code that nobody here knows.
 * @param isSql the code is of a database: only then are five digits an SQLSTATE (Twilio has such codes too)
 */
export function judgeCode(code: string, { isSql }: { isSql: boolean }): Judgement | null {
	const seen = `Error ${code} was seen`;
	if (RETRYABLE.has(code)) return { word: 'retryable', evidence: `${seen}, ${NOT_CARRIED_OUT}` };
	if (PERMANENT.has(code)) return { word: 'permanent', evidence: `${seen}, ${REFUSED}` };
	if (UNKNOWN.has(code)) return { word: 'unknown', evidence: `${seen}, ${NOBODY_KNOWS}` };
	const word = SQLSTATE.test(code) && (isSql || /[A-Z]/.test(code)) ? judgeSqlState(code) : null;
	if (word === null) return null;
	return { word, evidence: `${seen}, ${word === 'unknown' ? NOBODY_KNOWS : word === 'retryable' ? NOT_CARRIED_OUT : REFUSED}` };
}

/** Node.js (errno and TLS), nodemailer, MySQL, gRPC. The request never went out, or was turned away for now. */
const RETRYABLE = new Set([
	'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EDNS',
	'connect EHOSTUNREACH', 'connect ENETUNREACH',
	// Certificates: the handshake is over before anything is sent. Node.js, TLS, "X509 certificate error codes".
	'CERT_CHAIN_TOO_LONG', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REJECTED', 'CERT_REVOKED', 'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED', 'CRL_HAS_EXPIRED', 'CRL_NOT_YET_VALID', 'CRL_SIGNATURE_FAILURE', 'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERROR_IN_CERT_NOT_AFTER_FIELD', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CRL_LAST_UPDATE_FIELD',
	'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
	'UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	// The server chose this transaction as the victim and rolled it back.
	'ER_LOCK_DEADLOCK',
	'RESOURCE_EXHAUSTED', 'MODEL_RATE_LIMIT',
]);

const PERMANENT = new Set([
	'EAUTH', 'EENVELOPE', 'EMESSAGE', // without a reply: nodemailer itself refused
	'ER_ACCESS_DENIED_ERROR', 'ER_BAD_FIELD_ERROR', 'ER_BAD_NULL_ERROR', 'ER_DATA_TOO_LONG', 'ER_NO_REFERENCED_ROW_2',
	'ER_NO_SUCH_TABLE', 'ER_PARSE_ERROR', 'ER_ROW_IS_REFERENCED_2',
	'FAILED_PRECONDITION', 'INVALID_ARGUMENT', 'MODEL_AUTHENTICATION', 'NOT_FOUND', 'OUT_OF_RANGE', 'PERMISSION_DENIED',
	'UNAUTHENTICATED', 'UNIMPLEMENTED',
]);

/** Named so that an outer one ends the search: what stands further inside doesn't make it any surer. */
const UNKNOWN = new Set([
	'ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ESOCKETTIMEDOUT', 'ETIMEDOUT', 'ERR_CANCELED', 'ERR_NETWORK',
	'UND_ERR_ABORTED', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET',
	'ER_DUP_ENTRY', 'ER_LOCK_WAIT_TIMEOUT', 'PROTOCOL_CONNECTION_LOST',
	'ABORTED', 'ALREADY_EXISTS', 'CANCELLED', 'DATA_LOSS', 'DEADLINE_EXCEEDED', 'INTERNAL', 'UNAVAILABLE', 'UNKNOWN',
]);

/** Two signs of class and three more. PostgreSQL, appendix A. */
const SQLSTATE = /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

const SQL_RETRYABLE = [
	'08001', '08004', // no connection came about
	'40001', '40P01', // serialization failure, deadlock: rolled back
	'53300', '57P03', // too many connections, starting up
	'55P03', // lock not available
];
/** Classes that mean "this statement will never work": the whole transaction is undone. */
const SQL_PERMANENT_CLASSES = ['0A', '21', '22', '23', '25', '26', '28', '2B', '3D', '3F', '42', '44'];
/** Already there: by an earlier try, or by somebody else. */
const UNIQUE_VIOLATION = '23505';

function judgeSqlState(state: string): Judgement['word'] {
	if (SQL_RETRYABLE.includes(state)) return 'retryable';
	if (state !== UNIQUE_VIOLATION && SQL_PERMANENT_CLASSES.includes(state.slice(0, 2))) return 'permanent';
	return 'unknown';
}
