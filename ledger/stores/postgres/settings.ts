import { LedgerError } from '../../core/errors';
import type { PostgresSettings } from '../../core/settings';

/**
 * Refuse what could only fail later, and less clearly.
 * @throws LedgerError INVALID_SETTINGS
 */
export function checkSettings(settings: PostgresSettings): void {
	const { host, database, user, port, maxConnections, connectTimeoutMs, commandTimeoutMs } = settings;
	// Empty, the driver would take them from the environment of n8n.
	if (host.trim() === '') throw new LedgerError('INVALID_SETTINGS', 'The host of the PostgreSQL server is missing');
	if (database === '') throw new LedgerError('INVALID_SETTINGS', 'The name of the PostgreSQL database is missing');
	if (user === '') throw new LedgerError('INVALID_SETTINGS', 'The user name for PostgreSQL is missing');
	whole('port', port, 1, 65_535);
	whole('number of connections', maxConnections, 1, 1_000);
	// setTimeout takes no more than 31 bits; a day is more than anyone waits.
	whole('connect time-out in milliseconds', connectTimeoutMs, 1, 86_400_000);
	whole('command time-out in milliseconds', commandTimeoutMs, 1, 86_400_000);
}

function whole(name: string, value: number, least: number, most: number): void {
	if (Number.isInteger(value) && value >= least && value <= most) return;
	throw new LedgerError('INVALID_SETTINGS', `The ${name} must be a whole number from ${least} to ${most.toLocaleString('en')}`);
}
