import fc from 'fast-check';

import { MemoryStore } from '../../../ledger/stores/memory/MemoryStore';
import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { claimOf, successOf } from './commands';

const KEYS = ['a', 'b', 'c'];
const command = fc.record({ businessId: fc.constantFrom(...KEYS), token: fc.constantFrom('t1', 't2'), attempt: fc.constantFrom(1, 2) });
const seal = fc.record({
	word: fc.constantFrom('success' as const, 'success' as const, 'retryable' as const, 'permanent' as const, 'unknown' as const),
	externalId: fc.constantFrom(null, 'x', 'y'),
	externalIdIsUnique: fc.constantFrom(true, true, false),
});
/** Batches in which each key comes once: what becomes of a repeated one is the contract's business. */
const once = { minLength: 1, maxLength: 3, selector: ({ businessId }: { businessId: string }) => businessId };
const step = fc.oneof(
	fc.record({ what: fc.constant('claim' as const), of: fc.uniqueArray(command, once) }),
	fc.record({ what: fc.constant('release' as const), of: fc.uniqueArray(command, once) }),
	fc.record({ what: fc.constant('seal' as const), of: fc.uniqueArray(fc.tuple(command, seal).map(([one, two]) => ({ ...one, ...two })), once) }),
	fc.record({ what: fc.constant('wait' as const), ms: fc.constantFrom(500, 1_000, 90_000_000) }),
);

/** What the store does and keeps, step by step. */
async function told(store: MemoryStore | SqliteStore, steps: Array<typeof step extends fc.Arbitrary<infer S> ? S : never>, clock: { now: number }) {
	const lines: unknown[] = [];
	for (const one of steps) {
		if (one.what === 'wait') clock.now += one.ms;
		if (one.what === 'claim') {
			lines.push(await store.claim(one.of.map(({ businessId, token }) => claimOf(businessId, { token, leaseMs: 1_000, policy: 'take_over', retentionSeconds: 86_400 }))));
		}
		if (one.what === 'release') {
			lines.push(await store.release(one.of.map(({ businessId, token, attempt }) => ({ key: claimOf(businessId).key, token, attempt, rerun: false, executionId: null }))));
		}
		if (one.what === 'seal') {
			lines.push(await store.seal(one.of.map(({ businessId, token, ...rest }) => successOf(claimOf(businessId, { token }), rest))));
		}
		lines.push(await store.get(KEYS.map((businessId) => claimOf(businessId).key)));
		lines.push(await store.statistics());
	}
	return lines;
}

describe('Batches do what the specification does', () => {
	test('claims, seals with shared external IDs, releases and waits in any order', async () => {
		const folder = temporaryFolder('sqlite-batches');
		let ledgers = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
				const clocks = [{ now: 1_000_000 }, { now: 1_000_000 }];
				const store = new SqliteStore(sqliteSettings(folder, { fileName: `ledger${(ledgers += 1)}` }), () => clocks[0].now);
				const memory = new MemoryStore(new Map(), () => clocks[1].now);
				const said = await told(store, steps, clocks[0]);
				await store.close();
				expect(said).toEqual(await told(memory, steps, clocks[1]));
			}),
			{ numRuns: 60 },
		);
		removeFolder(folder);
	});

	test('of two seals of one batch that share an external ID, both say so', async () => {
		const folder = temporaryFolder('sqlite-batches');
		const store = new SqliteStore(sqliteSettings(folder));
		const claims = ['a', 'b'].map((businessId) => claimOf(businessId));
		await store.claim(claims);
		const answers = await store.seal(claims.map((claim) => successOf(claim, { externalId: 'x' })));
		const { records } = await store.get(claims.map(({ key }) => key));
		expect(answers.map(({ detail }) => detail)).toEqual(['anomaly', 'anomaly']);
		expect(records.map((record) => record?.anomalies[0]?.otherKey)).toEqual(['charge:b', 'charge:a']);
		await store.close();
		removeFolder(folder);
	});

	test('a word of the same batch that comes after the success is not undone by the look sideways', async () => {
		const folder = temporaryFolder('sqlite-batches');
		const store = new SqliteStore(sqliteSettings(folder));
		const [first, second] = ['a', 'b'].map((businessId) => claimOf(businessId));
		await store.claim([first, second]);
		await store.seal([successOf(first, { externalId: 'x' })]);
		await store.seal([successOf(second, { externalId: 'x' }), successOf(second, { token: 'late', externalId: 'y' })]);
		const [record] = (await store.get([second.key])).records;
		expect(record?.lateSuccesses).toMatchObject([{ externalId: 'y' }]);
		expect(record?.anomalies.map(({ kind }) => kind)).toEqual(['second_effect', 'shared_external_id']);
		expect(record?.counters.staleSeals).toBe(1);
		await store.close();
		removeFolder(folder);
	});
});
