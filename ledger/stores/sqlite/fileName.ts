import { isAbsolute } from 'node:path';

import { LedgerError } from '../../core/errors';
import type { SqliteSettings } from '../../core/settings';

/** A name, never a path: no slash, backslash, colon (Windows streams), dot but one before the extension. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.(sqlite|db))?$/;
/** Windows opens a device under these names, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** SQLite keeps these beside a file called as what stands before them. */
const COMPANION = /-(wal|shm|journal)$/i;

/**
 * Refuse settings that name anything but a file in n8n's own folder, or a file that workers of a queue
 * each would have their own copy of. Touches no disk.
 * @throws LedgerError INVALID_SETTINGS, NOT_SHARED
 */
export function checkSettings({ folder, fileName, queueMode, shared }: SqliteSettings): void {
	if (typeof folder !== 'string' || !isAbsolute(folder) || folder.includes('\0')) {
		throw new LedgerError('INVALID_SETTINGS', 'The folder of the ledger file must be an absolute path');
	}
	const legal = typeof fileName === 'string' && FILE_NAME.test(fileName);
	if (!legal || DEVICE.test(fileName) || COMPANION.test(fileName)) {
		throw new LedgerError(
			'INVALID_SETTINGS',
			'The file name of the ledger must be a plain name of letters, digits, "-" and "_", with .sqlite, .db or no extension, and not a path',
		);
	}
	if (queueMode && !shared) {
		throw new LedgerError(
			'NOT_SHARED',
			'n8n runs in queue mode, where each process could have an embedded ledger of its own and none would see the claims of the others',
		);
	}
}
