import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { feedOf } from '../../../ledger/core/feed';
import type { LedgerRecord } from '../../../ledger/core/record';
import { openStore } from '../../../ledger/stores/openStore';
import type { LedgerStore } from '../../../ledger/core/store';
import { settingsFromCredential } from '../../../nodes/shared/settings';
import { aClaim, aDecision, aSeal } from '../../support/builders';
import { aMoment, credentials, inLedger, triggerOn } from './watching';

const RUNS = Number(process.env.LEDGER_TEST_SEQUENCES ?? 5);
const WORDS = ['unknown', 'permanent', 'retryable', 'success'] as const;

const versionOf = ({ key, revision }: IDataObject | LedgerRecord) => `${String(key)} ${String(revision)}`;

/** One client: claims, and then seals, leaves, or has a person decide. */
const life = fc.record({
	word: fc.constantFrom(...WORDS, null),
	policy: fc.constantFrom('review' as const, 'take_over' as const),
	decision: fc.constantFrom(null, null, 'retry' as const, 'failed' as const),
	pauseMs: fc.nat({ max: 15 }),
});
type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

async function live(store: LedgerStore, { word, policy, decision, pauseMs }: Life): Promise<void> {
	const claim = aClaim({ leaseMs: 1, policy });
	await store.claim([claim]);
	await new Promise((resolve) => setTimeout(resolve, pauseMs));
	if (word !== null) await store.seal([aSeal(claim, word)]);
	const [record] = (await store.get([claim.key])).records;
	if (decision !== null && record !== null) await store.resolve([aDecision(record, decision)]);
}

/** Every record that is in a feed, as an onlooker finds it. */
async function inFeeds(ledger: ICredentialDataDecryptedObject): Promise<string[]> {
	return await inLedger(ledger, async (store) => {
		const found: LedgerRecord[] = [];
		for (let cursor: string | null | undefined; cursor !== null; ) {
			const page = await store.list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
			found.push(...page.records.filter((record) => (feedOf(record)?.feed ?? 'expirable') !== 'expirable'));
			cursor = page.nextCursor;
		}
		return found.map(versionOf);
	});
}

describe.each(credentials())('Ledger Trigger on %s, while others work', (_name, ledger) => {
	it('tells of every version that is there to be told, none twice, also over restarts', async () => {
		const trigger = triggerOn(ledger, { options: { batchSize: 7 } });
		await trigger.activate();
		const before = new Set(await inFeeds(ledger));
		const told: string[] = [];
		const poll = async () => {
			const items = await trigger.poll();
			told.push(...items.map(versionOf));
			return items.length;
		};
		const { settings } = settingsFromCredential(ledger);
		await fc.assert(
			fc.asyncProperty(fc.array(life, { minLength: 10, maxLength: 40, size: 'max' }), fc.nat({ max: 20 }), async (lives, gapMs) => {
				// Clients of their own, each with its own connections.
				const stores = await Promise.all([1, 2, 3].map(() => openStore(settings)));
				let working = true;
				const work = Promise.all(lives.map((one, place) => live(stores[place % stores.length], one))).finally(() => (working = false));
				while (working) {
					await poll();
					if (gapMs % 3 === 0) trigger.restart();
					await new Promise((resolve) => setTimeout(resolve, gapMs));
				}
				await work;
				await aMoment();
				// Nobody changes anything any more: a few quiet polls, and all there is has been told.
				while ((await poll()) > 0);
				await Promise.all(stores.map((store) => store.close()));
				expect(told.filter((version, place) => told.indexOf(version) !== place)).toEqual([]);
				const missing = (await inFeeds(ledger)).filter((version) => !before.has(version) && !told.includes(version));
				expect(missing).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
		expect(told.length).toBeGreaterThan(20);
	}, 120_000);

	it('2,500 dead letters and crashes: batches of 1,000, each once', async () => {
		const trigger = triggerOn(ledger, { options: { batchSize: 1_000 } });
		await trigger.activate();
		while ((await trigger.poll()).length > 0);
		const claims = Array.from({ length: 2_500 }, () => aClaim({ leaseMs: 1 }));
		await inLedger(ledger, async (store) => {
			for (let from = 0; from < claims.length; from += 500) await store.claim(claims.slice(from, from + 500));
			await store.seal(claims.slice(0, 1_200).map((claim) => aSeal(claim, 'permanent')));
		});
		await aMoment();
		const sizes: number[] = [];
		const keys: unknown[] = [];
		for (let items = await trigger.poll(); items.length > 0; items = await trigger.poll()) {
			sizes.push(items.length);
			keys.push(...items.map(({ key }) => key));
		}
		// Of each kind at most 1,000 at a time: failed ones, and leases that were moved.
		expect(sizes).toEqual([2_000, 500]);
		expect(keys.sort()).toEqual(claims.map(({ key }) => key).sort());
	}, 120_000);
});
