import { isLedgerError, LedgerError } from '../../core/errors';
import type { LedgerErrorCode } from '../../core/errors';

/**
 * SQLSTATE → our code. Five characters name one condition, two a whole class; the longer one wins.
 * Source: PostgreSQL manual, appendix A, "PostgreSQL Error Codes".
 */
const SQLSTATE = new Map<string, LedgerErrorCode>(Object.entries({
	'08': 'UNREACHABLE', // connection exception; PgBouncer reports its own troubles so
	'22': 'INVALID_PARAMETER', // data exception: a number or time outside of what a column holds
	'28': 'AUTHENTICATION_FAILED',
	'40': 'BUSY', // transaction rollback: serialisation failure, deadlock, when the retries are used up
	'53': 'OUT_OF_SPACE', // insufficient resources: disk, memory
	'54': 'VALUE_TOO_LARGE', // program limit exceeded
	'57': 'UNREACHABLE', // operator intervention: being shut down, starting up, crashed
	'58': 'OUT_OF_SPACE', // system error outside of PostgreSQL: I/O
	'25006': 'READ_ONLY', // read-only transaction: a standby, or default_transaction_read_only
	'3D000': 'DATABASE_MISSING',
	'3F000': 'TABLES_MISSING', // no such schema
	'42501': 'PERMISSION_DENIED',
	'42939': 'INVALID_SETTINGS', // a name the server keeps for itself
	'42P01': 'TABLES_MISSING',
	'42703': 'FOREIGN_TABLE', // no such column
	'42804': 'FOREIGN_TABLE', // a column of another type
	'42809': 'FOREIGN_TABLE', // not a table: a view, a sequence
	'42883': 'FOREIGN_TABLE', // no such operator for the type of a column
	'42P07': 'FOREIGN_TABLE', // a table or index of that name is there, and we didn't make it
	'42P10': 'FOREIGN_TABLE', // no unique index on key
	'23502': 'FOREIGN_TABLE', // a column of somebody else's that wants a value
	'23503': 'FOREIGN_TABLE', // a foreign key of somebody else's
	'23514': 'INVALID_PARAMETER', // one of our checks: a state or a policy that doesn't exist
	'53300': 'TOO_MANY_CONNECTIONS',
	'55P03': 'TIMEOUT', // lock_timeout: somebody else holds a record, or the migration
	'57014': 'TIMEOUT', // statement_timeout of the role or the server
}));

/** Error codes of Node.js's network layer → ours. Sources: Node.js manual, "Errors"; OpenSSL. */
const NODE = new Map<string, LedgerErrorCode>(Object.entries({
	ECONNREFUSED: 'UNREACHABLE',
	ECONNRESET: 'UNREACHABLE',
	ECONNABORTED: 'UNREACHABLE',
	EPIPE: 'UNREACHABLE',
	ENOTFOUND: 'UNREACHABLE',
	EAI_AGAIN: 'UNREACHABLE',
	EHOSTUNREACH: 'UNREACHABLE',
	ENETUNREACH: 'UNREACHABLE',
	EADDRNOTAVAIL: 'UNREACHABLE',
	ENOENT: 'UNREACHABLE', // a host that is the path of a socket which isn't there
	EACCES: 'UNREACHABLE',
	ETIMEDOUT: 'UNREACHABLE',
	EPROTO: 'TLS_FAILED',
}));
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

/**
 * The server may come back with another result: it rolled the statement back because of others.
 * 40001 serialization_failure, 40P01 deadlock_detected.
 */
const ROLLED_BACK = ['40001', '40P01'];

export const isRolledBack = (error: unknown): boolean => ROLLED_BACK.includes(codeOf(error) ?? '');

/** True when the server answered, with an error: the connection is sound and can serve again. */
export function isServerAnswer(error: unknown): boolean {
	const code = codeOf(error);
	// A FATAL or PANIC ends the session.
	return code !== null && /^[0-9A-Z]{5}$/.test(code) && (error as { severity?: string }).severity === 'ERROR';
}

/**
 * The one place that turns what pg throws into ours. The message of the server is passed on where it
 * names the thing; it never holds parameters or secrets (those are in `detail`, which stays behind).
 * @param doing what was being done, for the sentence: "claiming"
 */
export function toLedgerError(error: unknown, doing: string): LedgerError {
	if (isLedgerError(error)) return error;
	const code = ledgerCode(error);
	return new LedgerError(code, `${SENTENCES[code] ?? 'PostgreSQL reported an unexpected error'} while ${doing}: ${textOf(error)}`, { cause: error });
}

const SENTENCES: Partial<Record<LedgerErrorCode, string>> = {
	UNREACHABLE: 'PostgreSQL could not be reached, or the connection was lost,',
	AUTHENTICATION_FAILED: 'PostgreSQL refused the login',
	DATABASE_MISSING: 'The PostgreSQL database does not exist, found',
	TABLES_MISSING: 'The tables of the ledger are missing in PostgreSQL, found',
	PERMISSION_DENIED: 'The PostgreSQL user lacks a right that is needed',
	READ_ONLY: 'PostgreSQL is read-only (a standby, or set so), found',
	TLS_FAILED: 'No secure connection to PostgreSQL could be made',
	TOO_MANY_CONNECTIONS: 'PostgreSQL has no connection left',
	OUT_OF_SPACE: 'PostgreSQL has run out of disk space or memory',
	BUSY: 'PostgreSQL rolled the step back because of others, time and again,',
	TIMEOUT: 'PostgreSQL gave up waiting',
	FOREIGN_TABLE: 'A table of this name in PostgreSQL was not made by this package, found',
	INVALID_PARAMETER: 'PostgreSQL cannot store one of the values given',
	VALUE_TOO_LARGE: 'One of the values given is too large for PostgreSQL',
	INVALID_SETTINGS: 'PostgreSQL refused a name in the settings',
};

function ledgerCode(error: unknown): LedgerErrorCode {
	const code = codeOf(error);
	if (code === null) return codeByText(error);
	if (TLS_CODE.test(code)) return 'TLS_FAILED';
	return NODE.get(code) ?? SQLSTATE.get(code) ?? SQLSTATE.get(code.slice(0, 2)) ?? 'UNEXPECTED';
}

/** The few things pg says without a code; compared as they are in its source (client.js, connection.js, sasl.js). */
function codeByText(error: unknown): LedgerErrorCode {
	const text = error instanceof Error ? error.message : '';
	if (/^Connection terminated|^Client has encountered a connection error|^Client was closed/.test(text)) return 'UNREACHABLE';
	if (/^The server does not support SSL|^There was an error establishing an SSL/.test(text)) return 'TLS_FAILED';
	if (/^SASL/.test(text)) return 'AUTHENTICATION_FAILED';
	return 'UNEXPECTED';
}

function codeOf(error: unknown): string | null {
	const code = (error as { code?: unknown } | null)?.code;
	return typeof code === 'string' ? code : null;
}

function textOf(error: unknown): string {
	// Both addresses of a name refused: the AggregateError itself says nothing.
	if (error instanceof AggregateError && error.message === '') return error.errors.map(textOf).join('; ');
	return error instanceof Error ? error.message : String(error);
}
