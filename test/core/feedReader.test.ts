import fc from 'fast-check';

import { changesOf } from '../../ledger/core/feed';
import type { ChangesPage, FeedPosition } from '../../ledger/core/feed';
import { endOfFeed, FEED_BEGINNING, readFeed } from '../../ledger/core/feedReader';
import type { FeedCursor, ReadOptions } from '../../ledger/core/feedReader';
import type { LedgerRecord } from '../../ledger/core/record';
import { aRecord } from '../support/builders';

/**
 * A ledger whose transactions commit in any order: a change is dated when its transaction decides, and is
 * seen when that commits. `settled` is as a store promises it: the oldest transaction under way, or now.
 */
class LateLedger {
	now = 1_000_000;
	readonly committed = new Map<string, LedgerRecord>();
	readonly open: Array<{ began: number; record: LedgerRecord }> = [];
	pageSize = 500;

	/** The key is locked while a transaction changes it. */
	begin(key: string): void {
		if (this.open.some(({ record }) => record.key === key)) return;
		const revision = (this.committed.get(key)?.revision ?? 0) + 1;
		const record = aRecord(this.now, { key, state: 'needs_review', reason: 'unknown', revision, updatedAt: this.now });
		this.open.push({ began: this.now, record });
	}

	commit(which: number): void {
		if (this.open.length === 0) return;
		const [{ record }] = this.open.splice(which % this.open.length, 1);
		this.committed.set(record.key, record);
	}

	readonly read = async (after: FeedPosition, limit: number): Promise<ChangesPage> => {
		const settled = Math.min(this.now, ...this.open.map(({ began }) => began));
		const page = changesOf([...this.committed.values()], { feed: 'review', after, limit: Math.min(limit, this.pageSize) }, this.now);
		return { ...page, settled };
	};
}

const versionOf = ({ key, revision }: LedgerRecord) => `${key} ${revision}`;

/** Reads again and again with one cursor, which goes through JSON each time, as n8n keeps it. */
class Reader {
	cursor: FeedCursor = { after: FEED_BEGINNING, seen: {} };
	readonly told: string[] = [];

	constructor(
		private readonly ledger: LateLedger,
		private readonly options: Partial<ReadOptions> = {},
	) {}

	async read(): Promise<number> {
		const options = { limit: 100, dueForMs: 0, accepts: () => true, overlapMs: 0, ...this.options };
		const { records, cursor } = await readFeed(this.ledger.read, this.cursor, options);
		this.cursor = JSON.parse(JSON.stringify(cursor)) as FeedCursor;
		this.told.push(...records.map(versionOf));
		return records.length;
	}

	/** What was told twice, and what is there and wasn't told. */
	wrong(): { twice: string[]; missed: string[] } {
		const twice = this.told.filter((version, place) => this.told.indexOf(version) !== place);
		return { twice, missed: [...this.ledger.committed.values()].map(versionOf).filter((version) => !this.told.includes(version)) };
	}
}

const step = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), key: fc.nat({ max: 30 }) }) },
	{ weight: 5, arbitrary: fc.record({ kind: fc.constant('commit' as const), which: fc.nat({ max: 50 }) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 5, 1_000) }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
);

describe('the feed reader', () => {
	it('misses nothing and repeats nothing, in whatever order transactions commit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { minLength: 20, maxLength: 150, size: 'max' }),
				fc.record({ limit: fc.constantFrom(1, 3, 100), mostSeen: fc.constantFrom(2, 10, 1_000), overlapMs: fc.constantFrom(0, 3, 500), pageSize: fc.constantFrom(1, 4, 500) }),
				async (steps, { pageSize, ...options }) => {
					const ledger = new LateLedger();
					ledger.pageSize = pageSize;
					const reader = new Reader(ledger, options);
					for (const one of steps) {
						if (one.kind === 'begin') ledger.begin(`key:${one.key}`);
						else if (one.kind === 'commit') ledger.commit(one.which);
						else if (one.kind === 'pass') ledger.now += one.ms;
						else await reader.read();
						expect(Object.keys(reader.cursor.seen).length).toBeLessThanOrEqual(200);
					}
					while (ledger.open.length > 0) ledger.commit(0);
					// The border has to move past what fills the memory.
					for (let quiet = 0; quiet < 3; ) {
						ledger.now += 1_000;
						quiet = (await reader.read()) === 0 ? quiet + 1 : 0;
					}
					expect(reader.wrong()).toEqual({ twice: [], missed: [] });
				},
			),
			{ numRuns: 400 },
		);
	}, 60_000);

	it('tells of what commits long after something later did', async () => {
		const ledger = new LateLedger();
		const reader = new Reader(ledger);
		ledger.begin('key:slow');
		ledger.now += 3_600_000;
		ledger.begin('key:fast');
		ledger.commit(1);
		for (let i = 0; i < 3; i += 1) await reader.read();
		expect(reader.told).toEqual(['key:fast 1']);
		ledger.now += 3_600_000;
		ledger.commit(0);
		await reader.read();
		expect(reader.told).toEqual(['key:fast 1', 'key:slow 1']);
		await reader.read();
		expect(reader.told).toHaveLength(2);
	});

	it('a clock that is set back, by less than the overlap, hides nothing', async () => {
		const ledger = new LateLedger();
		const reader = new Reader(ledger, { overlapMs: 60_000 });
		ledger.begin('key:before');
		ledger.commit(0);
		await reader.read();
		ledger.now -= 59_000;
		ledger.begin('key:after');
		ledger.commit(0);
		await reader.read();
		expect(reader.told).toEqual(['key:before 1', 'key:after 1']);
	});

	it('what is forgotten and comes anew at the same revision is told again', async () => {
		const ledger = new LateLedger();
		const reader = new Reader(ledger, { overlapMs: 60_000 });
		for (let life = 0; life < 2; life += 1) {
			ledger.begin('key:1');
			ledger.commit(0);
			await reader.read();
			ledger.committed.clear();
			ledger.now += 1;
		}
		expect(reader.told).toEqual(['key:1 1', 'key:1 1']);
	});

	it('keeps its memory small: a storm within the overlap waits, and comes in time', async () => {
		const ledger = new LateLedger();
		const reader = new Reader(ledger, { limit: 50, mostSeen: 100, overlapMs: 10_000 });
		for (let i = 0; i < 500; i += 1) {
			ledger.begin(`key:${i}`);
			ledger.commit(0);
		}
		for (let i = 0; i < 5; i += 1) await reader.read();
		expect(reader.told).toHaveLength(100);
		for (let i = 0; i < 20; i += 1) {
			ledger.now += 1_000;
			await reader.read();
			expect(Object.keys(reader.cursor.seen).length).toBeLessThanOrEqual(500);
		}
		expect(reader.told).toHaveLength(500);
		expect(reader.wrong()).toEqual({ twice: [], missed: [] });
		ledger.now += 20_000;
		await reader.read();
		expect(reader.cursor.seen).toEqual({});
	});

	it('a cursor at the end tells only of what comes', async () => {
		const ledger = new LateLedger();
		ledger.begin('key:old');
		ledger.commit(0);
		ledger.now += 1;
		const reader = new Reader(ledger);
		reader.cursor = await endOfFeed(ledger.read, 0);
		ledger.begin('key:new');
		ledger.commit(0);
		await reader.read();
		expect(reader.told).toEqual(['key:new 1']);
	});
});
