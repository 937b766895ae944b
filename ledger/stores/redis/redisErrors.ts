import { isNativeError } from 'node:util/types';

import { isLedgerError, LedgerError } from '../../core/errors';
import type { LedgerErrorCode } from '../../core/errors';

/** Error codes a server's reply begins with (or, from a script of Redis 6, holds behind a dash). */
const REPLY_CODES: Record<string, [LedgerErrorCode, string]> = {
	NOAUTH: ['AUTHENTICATION_FAILED', 'Redis wants a password'],
	WRONGPASS: ['AUTHENTICATION_FAILED', 'Redis refused the user name or password'],
	READONLY: ['READ_ONLY', 'Redis is a read-only replica'],
	OOM: ['OUT_OF_SPACE', 'Redis has used up its memory (maxmemory) and refuses writes'],
	MISCONF: ['OUT_OF_SPACE', "Redis refuses writes because it can't save its data to disk"],
	NOREPLICAS: ['REPLICAS_SHORT', 'Redis refuses writes because too few replicas are connected (min-replicas-to-write)'],
	LOADING: ['UNREACHABLE', 'Redis has just started and is still loading its data'],
	MASTERDOWN: ['UNREACHABLE', 'Redis has lost its primary server'],
	CLUSTERDOWN: ['UNREACHABLE', 'The Redis Cluster is down'],
	TRYAGAIN: ['UNREACHABLE', 'The Redis Cluster is moving these records to another node'],
	MOVED: ['INVALID_SETTINGS', 'The server is part of a Redis Cluster: choose the mode Cluster'],
	BUSY: ['BUSY', 'Redis is busy with a script of another client'],
	WRONGTYPE: ['UNREADABLE_RECORD', 'A key of the ledger in Redis holds something else; another program uses the same key prefix'],
};

const MESSAGES: Array<[RegExp, LedgerErrorCode, string]> = [
	[/DB index is out of range|SELECT is not allowed/i, 'DATABASE_MISSING', 'Redis has no database of that number'],
	[/cluster support disabled/i, 'INVALID_SETTINGS', 'The server is no Redis Cluster: choose the mode Standalone or Sentinel'],
	[/AUTH .*without any password|no password is set|invalid password/i, 'AUTHENTICATION_FAILED', 'Redis refused the user name or password'],
	[/max number of clients/i, 'TOO_MANY_CONNECTIONS', 'Redis takes no more connections'],
	[/unknown command/i, 'SERVER_TOO_OLD', 'Redis does not know a command that the ledger needs'],
	[/attempt to (compare|perform|concatenate|index|call)/, 'UNREADABLE_RECORD', "A record in Redis can't be read"],
	[/sentinels are unreachable/, 'UNREACHABLE', 'No Redis Sentinel answered, or none knows a master of that name'],
	[/Too many Cluster redirections/, 'UNREACHABLE', 'The Redis Cluster is being rearranged'],
	[/timed out|timeout/i, 'TIMEOUT', 'Redis did not answer in time'],
	[/Connection is closed|closed|writeable|startup nodes|isn't ready|aborted/i, 'UNREACHABLE', 'The connection to Redis was lost'],
];

const SCRIPT_COMMANDS = 'TIME, HGETALL, HSET, HDEL, DEL, ZADD, ZREM, ZRANGEBYLEX, PEXPIREAT, PERSIST';
const FOREIGN_KEYS = "The Redis user may not use the ledger's keys (ACL pattern ~<key prefix>:*)";
const TLS_CODE = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|ERR_CRYPTO)/;

/**
 * The one place that makes ledger errors of the driver's and the server's. Never with a secret: the
 * driver's errors carry the command's arguments, so the cause is a copy of text and code.
 */
export function toLedgerError(error: unknown): LedgerError {
	if (isLedgerError(error)) return error;
	const { message, code } = described(error);
	const cause = Object.assign(new Error(message), code === undefined ? {} : { code });
	const of = (ledgerCode: LedgerErrorCode, text: string) => new LedgerError(ledgerCode, text, { cause });

	if (code !== undefined && TLS_CODE.test(code)) return of('TLS_FAILED', `No TLS connection to Redis: ${message}`);
	if (code !== undefined && /^E[A-Z]/.test(code)) {
		return of('UNREACHABLE', `Can't reach Redis: ${message || code}`);
	}
	const permission = missingPermission(message);
	if (permission !== null) return of('PERMISSION_DENIED', permission);
	const reply = replyCode(message);
	if (reply !== null) return of(...REPLY_CODES[reply]);
	for (const [pattern, ledgerCode, text] of MESSAGES) if (pattern.test(message)) return of(ledgerCode, text);
	return of('UNEXPECTED', `Redis answered: ${message.slice(0, 200)}`);
}

/** The server's own code in a reply, if it is one that we know. */
export function replyCode(message: string): string | null {
	const found = message.match(/\b[A-Z]{3,}\b/g)?.find((word) => word in REPLY_CODES);
	return found ?? null;
}

function missingPermission(message: string): string | null {
	// Redis 7 doesn't say which, from inside a script.
	if (/executing the script can't run/.test(message)) {
		return `The Redis user may not run one of the commands of the ledger's scripts: ${SCRIPT_COMMANDS}`;
	}
	if (/executing the script can't access/.test(message)) return FOREIGN_KEYS;
	if (!/NOPERM|ACL failure/.test(message)) return null;
	const command = /run the '([^']{1,60})' command/.exec(message)?.[1];
	if (command !== undefined) return `The Redis user may not run ${command.toUpperCase()}`;
	return /key/i.test(message) ? FOREIGN_KEYS : 'The Redis user lacks a permission';
}

function described(error: unknown): { message: string; code: string | undefined } {
	if (!isNativeError(error)) return { message: String(error), code: undefined };
	// A cluster says that all nodes failed; why, the last one knows.
	const { lastNodeError, code } = error as { lastNodeError?: unknown; code?: unknown };
	if (isNativeError(lastNodeError)) return described(lastNodeError);
	// "Last error" of the sentinels, a certificate's names …: text only, never the command's arguments.
	return { message: error.message, code: typeof code === 'string' ? code : undefined };
}
