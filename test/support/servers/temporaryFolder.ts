import { chownSync, chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Account } from './unprivilegedAccount';

/** A new folder below the system's temporary folder; only `owner` (default: this user) may enter. */
export function temporaryFolder(purpose: string, owner?: Account): string {
	// realpath: macOS hands out a symbolic link, which PostgreSQL's messages then don't match.
	const folder = mkdtempSync(join(realpathSync(tmpdir()), `ledger-${purpose}-`));
	chmodSync(folder, 0o700);
	if (owner) chownSync(folder, owner.uid, owner.gid);
	return folder;
}
