import { chownSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import type { PostgresServer } from './startPostgres';
import type { Account } from './unprivilegedAccount';

/**
 * Makes `data` a standby of a running primary: base backup through SQL, since the npm package has
 * no pg_basebackup.
 * Source: PostgreSQL manual, "Making a Base Backup Using the Low Level API" (15 and newer).
 */
export async function standbyDataOf(
	primary: PostgresServer,
	data: string,
	account: Account | undefined,
): Promise<void> {
	const client = new Client({ connectionString: primary.url });
	await client.connect();
	try {
		await client.query("SELECT pg_backup_start('standby', true)");
		cpSync(join(primary.folder, 'data'), data, { recursive: true, filter: (path) => !isTransient(path) });
		const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
		writeFileSync(join(data, 'backup_label'), stopped.rows[0].labelfile);
		// What was written during the copy is streamed from the primary, which keeps its last segments.
		writeFileSync(join(data, 'standby.signal'), '');
	} finally {
		await client.end();
	}
	for (const folder of ['pg_stat_tmp', 'pg_replslot', 'pg_notify', 'pg_subtrans', 'pg_dynshmem']) {
		for (const entry of readdirSync(join(data, folder))) rmSync(join(data, folder, entry), { recursive: true });
	}
	if (account) own(data, account);
}

function isTransient(path: string): boolean {
	return /[\\/](postmaster\.(pid|opts)|pgsql_tmp[^\\/]*|pg_internal\.init)$/.test(path);
}

function own(path: string, account: Account): void {
	chownSync(path, account.uid, account.gid);
	for (const entry of readdirSync(path, { withFileTypes: true })) {
		const child = join(path, entry.name);
		if (entry.isDirectory()) own(child, account);
		else chownSync(child, account.uid, account.gid);
	}
}
