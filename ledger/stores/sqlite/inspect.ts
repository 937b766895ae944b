import { statfsSync, statSync } from 'node:fs';

import type { SqliteSettings } from '../../core/settings';
import type { Finding, StoreReport } from '../../core/store';
import { pragma, SCHEMA_VERSION } from './migrate';
import type { OpenFile } from './openFile';

/** File systems shared over a network, by Linux's statfs(2) magic numbers. SQLite's locks don't hold across machines there. */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
	0x6969: 'NFS',
	0x517b: 'SMB',
	0xfe534d42: 'SMB',
	0xff534d42: 'CIFS',
	0x5346414f: 'AFS',
	0x00c36400: 'Ceph',
	0x01021997: '9P',
	0x65735546: 'FUSE',
};
/** The log alone grows to 16 MB. */
const LITTLE_SPACE_BYTES = 100 * 1024 * 1024;

/** What the connection test says of an open file. Changes nothing. */
export function inspectFile({ database, path }: OpenFile, settings: SqliteSettings): StoreReport {
	const version = Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0];
	const durable = pragma(database, 'journal_mode') === 'wal' && pragma(database, 'synchronous') === 2;
	const { size, mode } = statSync(path);
	const findings: Finding[] = [
		{ level: 'ok', text: `Ledger file ${settings.fileName}, ${Math.ceil(size / 1024)} KB, tables of version ${SCHEMA_VERSION}, can be written` },
		durable
			? { level: 'ok', text: 'Write-ahead log with full synchronisation: an answered claim survives a power cut' }
			: { level: 'problem', text: 'The file is not in write-ahead mode with full synchronisation' },
		...disk(path, settings),
	];
	// Windows has no such bits.
	if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
		findings.push({ level: 'warning', text: 'Other users of this machine have rights to the ledger file, which may hold results of your workflows (chmod 600)' });
	}
	if (settings.shared) {
		const text = 'All Processes Share This File is on: main and all workers must run on this machine and see this very file';
		findings.push({ level: settings.queueMode ? 'warning' : 'ok', text });
	}
	return { server: `SQLite ${String(version)} (Node.js ${process.versions.node})`, findings };
}

function disk(path: string, { shared }: SqliteSettings): Finding[] {
	const { type, bavail, bsize } = statfsSync(path);
	const network = process.platform === 'linux' ? NETWORK_FILE_SYSTEMS[type >>> 0] : undefined;
	const findings: Finding[] = [
		network === undefined
			? { level: 'ok', text: 'The file must be on a local disk; not every network file system can be recognised' }
			: {
					level: shared ? 'problem' : 'warning',
					text: `The file seems to be on a network file system (${network}), where locks may not hold between machines; use a local disk, PostgreSQL or Redis`,
				},
	];
	if (bavail * bsize < LITTLE_SPACE_BYTES) findings.push({ level: 'warning', text: 'Less than 100 MB are free on the disk of the ledger file' });
	return findings;
}
