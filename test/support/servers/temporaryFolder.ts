import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Account } from './unprivilegedAccount';
import { forget, watch } from '../../../scripts/watchdog.mjs';

/**
 * A new folder below the system's temporary folder; only `owner` (default: this user) may enter.
 * It goes when removeFolder is called or this process dies.
 */
export function temporaryFolder(purpose: string, owner?: Account): string {
	// realpath: macOS hands out a symbolic link, which PostgreSQL's messages then don't match.
	const folder = mkdtempSync(join(realpathSync(tmpdir()), `ledger-${purpose}-`));
	watch({ id: folder, folder });
	chmodSync(folder, 0o700);
	if (owner) chownSync(folder, owner.uid, owner.gid);
	return folder;
}

/** Removes a folder made by temporaryFolder. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	forget(folder);
}
