import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { claimOf } from './commands';

describe('feeds of the embedded ledger', () => {
	const folder = temporaryFolder('sqlite-feeds');
	const settings = sqliteSettings(folder);
	const store = new SqliteStore(settings);
	afterAll(async () => {
		await store.close();
		removeFolder(folder);
	});

	it('what another process has decided and not committed yet is never older than settled', async () => {
		await store.claim([claimOf('1')]);
		const other = new DatabaseSync(join(folder, settings.fileName));
		other.exec('BEGIN IMMEDIATE');
		const decidedAt = Date.now();
		const reading = store.changes({ feed: 'review', after: null, limit: 10 });
		await new Promise((resolve) => setTimeout(resolve, 60));
		const record = JSON.parse(String(other.prepare('SELECT record FROM ledger').get()?.record)) as object;
		const changed = { ...record, state: 'needs_review', reason: 'unknown', revision: 2, leaseExpiresAt: null, updatedAt: decidedAt };
		other.prepare("UPDATE ledger SET state = 'needs_review', feed = 'review', feed_at = ?, record = ?").run(decidedAt, JSON.stringify(changed));
		other.exec('COMMIT');
		other.close();
		const { records, settled } = await reading;
		expect(settled).toBeGreaterThanOrEqual(decidedAt);
		expect(records).toMatchObject([{ key: 'charge:1', revision: 2 }]);
	});

	it('reads each feed off its index', () => {
		const database = new DatabaseSync(join(folder, settings.fileName));
		const plan = database
			.prepare("EXPLAIN QUERY PLAN SELECT record FROM ledger WHERE feed = 'review' AND (feed_at, key) > (1, '') AND feed_at <= 2 ORDER BY feed_at, key LIMIT 1")
			.all()
			.map(({ detail }) => String(detail));
		database.close();
		expect(plan).toEqual([expect.stringMatching(/USING INDEX ledger_by_feed \(feed=\? AND /)]);
	});
});
