/**
 * Every error the ledger throws, in one table, so that one cause reads the same in every store.
 * `retryable`: the same call may succeed later without anybody changing anything.
 * `advice` says what to do. docs/errors.md lists this table; a test keeps the two equal.
 */
export const LEDGER_ERRORS = {
	// What the user typed, or the item carries
	INVALID_OPERATION: { retryable: false, advice: 'Give the operation a short, fixed name for this one external write, for example create_crm_contact.' },
	INVALID_BUSINESS_ID: { retryable: false, advice: 'Map Business ID to a stable identifier from the business data, such as an order ID or event ID.' },
	INVALID_KEY_PART: { retryable: false, advice: 'Fill the option with a short text, or remove the option.' },
	INVALID_FINGERPRINT: { retryable: false, advice: 'Check the field names in Fields That Must Not Change and the item that reaches this node.' },
	INVALID_PARAMETER: { retryable: false, advice: 'Correct the parameter named in the message.' },
	INVALID_SETTINGS: { retryable: false, advice: 'Correct the credential field named in the message.' },
	INVALID_CURSOR: { retryable: false, advice: 'Start again without a cursor; use only cursors that Get Many returned, with the same filters.' },
	VALUE_TOO_LARGE: { retryable: false, advice: 'Store less: choose Selected Fields, or raise the size limit.' },
	// The claim a seal needs
	CLAIM_NOT_FOUND: { retryable: false, advice: 'Connect this node behind an Idempotency Claim, directly after the effect, or set Claim to From This Item or Key and Token.' },
	CLAIM_LINK_LOST: { retryable: false, advice: 'Keep item linking in the node named in the message (set pairedItem in a Code node), or set Claim to Key and Token.' },
	EFFECT_NOT_RUN: { retryable: false, advice: 'Unpin or enable the effect node; or, if the effect did happen, set Outcome to Succeeded.' },
	// The server
	UNREACHABLE: { retryable: true, advice: 'Check that the server is running, and the host, port and firewall.' },
	TIMEOUT: { retryable: true, advice: 'Check the load of the server and the network in between, or raise the time-out in the credential.' },
	AUTHENTICATION_FAILED: { retryable: false, advice: 'Check the user name and the password in the credential.' },
	TLS_FAILED: { retryable: false, advice: 'Check the TLS settings: the CA certificate, the host name the certificate was made for, and whether the server speaks TLS.' },
	PERMISSION_DENIED: { retryable: false, advice: 'Grant the rights named in the message to the user of the credential; docs/operations.md lists them.' },
	DATABASE_MISSING: { retryable: false, advice: 'Create the database, or correct its name in the credential.' },
	TABLES_MISSING: { retryable: false, advice: 'Switch Create Tables on in the credential, or let a DBA run the migrations that ship with the package.' },
	FOREIGN_TABLE: { retryable: false, advice: 'Choose another schema or table prefix: what is there was not made by this package, or by a newer version of it.' },
	READ_ONLY: { retryable: true, advice: 'Point the credential at the primary server; a standby cannot hold a claim.' },
	SERVER_TOO_OLD: { retryable: false, advice: 'Use a newer server; docs/operations.md names the oldest one that works.' },
	TOO_MANY_CONNECTIONS: { retryable: true, advice: 'Raise the connection limit of the server, or lower Max Connections in the credential.' },
	OUT_OF_SPACE: { retryable: true, advice: 'Free disk space or memory on the ledger server.' },
	BUSY: { retryable: true, advice: 'Another process held the ledger too long; try again, or use PostgreSQL or Redis for this load.' },
	REPLICAS_SHORT: { retryable: true, advice: 'Bring the replicas back, or lower Wait For Replicas in the credential.' },
	RUNTIME_TOO_OLD: { retryable: false, advice: 'Run n8n on Node.js 22.13 or newer, or choose PostgreSQL or Redis as the store.' },
	FILE_UNUSABLE: { retryable: false, advice: 'Check that the folder of n8n is writable, has space, and that the file is a ledger of this package.' },
	NOT_SHARED: { retryable: false, advice: 'In queue mode choose PostgreSQL or Redis; switch All Processes Share This File on only if main and all workers see the same folder.' },
	ANSWER_TOO_LATE: { retryable: true, advice: 'The ledger answered after the lease had run out, so nothing was released. Use a longer lease, or look at the load of the server.' },
	UNREADABLE_RECORD: { retryable: false, advice: 'The record was changed by something else than this package, or by a newer version of it.' },
	CLOSED: { retryable: true, advice: 'Run the workflow again; the connection was being closed.' },
	UNEXPECTED: { retryable: false, advice: 'Look the message up in the documentation of the server, or report it with the message.' },
} as const satisfies Record<string, { retryable: boolean; advice: string }>;

export type LedgerErrorCode = keyof typeof LEDGER_ERRORS;

/**
 * The one error type of the ledger. `message` says what happened in one sentence and never carries
 * a secret or a stack; `advice` says what to do; `cause` is the driver's error, for logs only.
 */
export class LedgerError extends Error {
	override readonly name = 'LedgerError';
	readonly retryable: boolean;
	readonly advice: string;

	constructor(
		readonly code: LedgerErrorCode,
		message: string,
		options: { cause?: unknown; advice?: string } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.retryable = LEDGER_ERRORS[code].retryable;
		this.advice = options.advice ?? LEDGER_ERRORS[code].advice;
	}
}

/** True for a LedgerError of any copy of this package loaded in the process (updates load a second one). */
export function isLedgerError(error: unknown): error is LedgerError {
	return error instanceof Error && error.name === 'LedgerError' && 'advice' in error;
}
