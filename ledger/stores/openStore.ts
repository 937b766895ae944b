import type { StoreSettings } from '../core/settings';
import type { LedgerStore } from '../core/store';

/**
 * Open the store that the settings name. Each store, and with it its driver, is loaded only here,
 * when it is chosen: importing the nodes costs nothing.
 * @throws LedgerError INVALID_SETTINGS, RUNTIME_TOO_OLD, NOT_SHARED; nothing else before the first command
 */
export async function openStore(settings: StoreSettings): Promise<LedgerStore> {
	switch (settings.kind) {
		case 'postgres':
			return new (await import('./postgres/PostgresStore')).PostgresStore(settings);
		case 'redis':
			return new (await import('./redis/RedisStore')).RedisStore(settings);
		case 'sqlite':
			return new (await import('./sqlite/SqliteStore')).SqliteStore(settings);
		case 'memory':
			return new (await import('./memory/MemoryStore')).MemoryStore();
	}
}
