import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type { SqliteSettings } from '../../../ledger/core/settings';
import { rowOf } from '../../../ledger/stores/sqlite/rows';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { statements } from '../../../ledger/stores/sqlite/statements.generated';
import { removeFolder, temporaryFolder } from '../servers/temporaryFolder';
import type { Subject } from '../subject';

/** Settings of a ledger file in that folder, as the credential's defaults make them. */
export function sqliteSettings(folder: string, changes: Partial<SqliteSettings> = {}): SqliteSettings {
	return {
		kind: 'sqlite',
		folder,
		fileName: 'ledger.sqlite',
		queueMode: false,
		shared: false,
		connectTimeoutMs: 5_000,
		commandTimeoutMs: 10_000,
		...changes,
	};
}

export const sqlite: Subject = {
	name: 'sqlite',
	async open() {
		const folder = temporaryFolder('sqlite');
		const settings = sqliteSettings(folder);
		const stores = [new SqliteStore(settings)];
		const [store] = stores;
		let beside: DatabaseSync | null = null;
		return {
			store,
			async another() {
				const other = new SqliteStore(settings);
				stores.push(other);
				return other;
			},
			async put(record) {
				// The store makes the file with its first command.
				await store.get([]);
				if (beside === null) {
					beside = new DatabaseSync(join(folder, settings.fileName));
					// Suites put thousands of records; what a test lays out needn't survive a power cut.
					beside.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = OFF');
				}
				beside.prepare(statements.putRecord).run(rowOf(record));
			},
			async close() {
				beside?.close();
				await Promise.all(stores.map((one) => one.close()));
				removeFolder(folder);
			},
		};
	},
};
