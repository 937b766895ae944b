import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import fc from 'fast-check';

import { byAge, pageOf } from '../../../ledger/core/listing';
import type { LedgerRecord } from '../../../ledger/core/record';
import { LEDGER_STATES } from '../../../ledger/core/states';
import { statisticsOf } from '../../../ledger/core/statistics';
import type { ListQuery } from '../../../ledger/core/store';
import { decideClaim, present } from '../../../ledger/core/transitions';
import { rowOf } from '../../../ledger/stores/sqlite/rows';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { statements } from '../../../ledger/stores/sqlite/statements.generated';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { claimOf } from './commands';

const NOW = 1_000_000_000;
/** More than two windows of a scan, more than one step of records. */
const RECORDS = 5_000;

/** Spreads numbers evenly, each salt in its own way, the same in every run. */
const pick = <T>(choices: readonly T[], number: number, salt: number): T =>
	choices[Math.floor((((number + 1) * (7919 + salt * 1313)) % 10007) / 10007 * choices.length)];

/** Many records of one moment, all states, few values of each field, some expired. */
function recordOf(number: number): LedgerRecord {
	const claim = claimOf(`order ${(number * 3571) % RECORDS}`);
	const record = decideClaim(null, claim, NOW).record!;
	return {
		...record,
		operation: pick(['charge', 'mail', 'Mail', 'a:b'], number, 1),
		scope: pick([null, 'x', 'y'], number, 2),
		state: pick(LEDGER_STATES, number, 3),
		externalId: pick([null, null, null, `id ${number % 9}`], number, 4),
		correlationId: pick([null, `run ${number % 3}`], number, 5),
		createdAt: NOW - 10_000 + (number % 7),
		updatedAt: NOW - (number % 997),
		leaseExpiresAt: pick([null, NOW - 1, NOW, NOW + 1], number, 6),
		expiresAt: pick([null, NOW - 1, NOW, NOW + 1], number, 7),
		ephemeral: pick([false, false, true], number, 8),
		counters: { duplicates: number % 5, conflicts: number % 3, takeovers: number % 2, staleSeals: number % 4 },
	};
}

const records = Array.from({ length: RECORDS }, (_, number) => recordOf(number)).sort(byAge);
// Living, and just where one window ends and the next begins.
for (const edge of [1998, 1999, 2000, 3998, 3999, 4000, RECORDS - 1]) {
	records[edge] = { ...records[edge], scope: 'edge', expiresAt: null };
}
const living = records.filter((record) => present(record, NOW) !== null);
let folder: string;
let store: SqliteStore;

beforeAll(async () => {
	folder = temporaryFolder('sqlite-listing');
	store = new SqliteStore(sqliteSettings(folder), () => NOW);
	await store.get([]);
	const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
	const put = database.prepare(statements.putRecord);
	database.exec('BEGIN');
	for (const record of records) put.run(rowOf(record));
	database.exec('COMMIT');
	database.close();
});
afterAll(async () => {
	await store.close();
	removeFolder(folder);
});

/** Every record that the query finds, page by page, as in the specification at each page. */
async function followed(query: ListQuery): Promise<number> {
	let cursor: string | undefined;
	let found = 0;
	do {
		const page = await store.list({ ...query, cursor });
		expect(page).toEqual(pageOf(living, { ...query, cursor }, NOW));
		found += page.records.length;
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return found;
}

describe('A file of several windows', () => {
	test('is listed wholly, in order, once each', async () => {
		expect(await followed({ limit: 999 })).toBe(living.length);
	});

	test.each<Partial<ListQuery>>([
		{ scope: 'edge' },
		{ states: ['processing'] },
		{ states: ['succeeded', 'permanent_failed'] },
		{ states: [] },
		{ operation: 'Mail' },
		{ externalId: 'id 4' },
		{ correlationId: 'run 1' },
		{ stuck: true },
		{ stuck: false },
		{ unchangedForMs: 500 },
		{ unchangedForMs: 0 },
	])('%j alone finds what the specification finds', async (filter) => {
		const found = await followed({ ...filter, limit: 1000 });
		expect(found > 0).toBe(filter.states?.length !== 0);
	});

	test('any filters together give the pages of the specification', async () => {
		const query = fc.record(
			{
				states: fc.subarray([...LEDGER_STATES]),
				operation: fc.constantFrom('charge', 'mail', 'Mail', 'a:b', 'none'),
				scope: fc.constantFrom('x', 'y', 'edge', 'none'),
				externalId: fc.constantFrom('id 0', 'id 4', 'none'),
				correlationId: fc.constantFrom('run 0', 'run 2'),
				stuck: fc.boolean(),
				unchangedForMs: fc.constantFrom(0, 1, 500, 996, 997),
			},
			{ requiredKeys: [] },
		);
		await fc.assert(
			fc.asyncProperty(query, fc.constantFrom(1, 7, 200, 201, 1000), async (filters, limit) => {
				const page = await store.list({ ...filters, limit });
				expect(page).toEqual(pageOf(living, { ...filters, limit }, NOW));
				if (limit >= 200) await followed({ ...filters, limit });
			}),
			{ numRuns: 60 },
		);
	});

	test('statistics are those of the specification', async () => {
		expect(await store.statistics()).toEqual(statisticsOf(living, NOW));
	});

	test('a purge takes what is over, and nothing else, and says how many', async () => {
		const over = records.length - living.length;
		expect(await store.purge(over - 1)).toBe(over - 1);
		expect(await store.purge(10)).toBe(1);
		expect(await store.purge(10)).toBe(0);
		expect(await followed({ limit: 1000 })).toBe(living.length);
	});
});
