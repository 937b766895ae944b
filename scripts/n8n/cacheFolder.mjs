import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where big things are kept between checkouts: $N8N_IDEMPOTENCY_CACHE, else the user's cache folder. */
export function cacheFolder() {
	const { N8N_IDEMPOTENCY_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
	if (N8N_IDEMPOTENCY_CACHE) return N8N_IDEMPOTENCY_CACHE;
	return join(XDG_CACHE_HOME || usersCache(LOCALAPPDATA), 'n8n-nodes-idempotency');
}

/** @param {string | undefined} localAppData */
function usersCache(localAppData) {
	if (process.platform === 'win32' && localAppData) return localAppData;
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
	return join(homedir(), '.cache');
}
