import { Keys } from '../../../ledger/stores/redis/keys';
import { scripts } from '../../../ledger/stores/redis/scripts.generated';
import { aClaim, aDecision, aSeal, another, HOUR } from '../../support/builders';
import { ownPrefix } from '../../support/subjects/redis';
import { clientAt, closeAll, eventually, failure, storeAt } from './withServer';

const url = () => process.env.LEDGER_TEST_REDIS_URL ?? '';

function open() {
	const keyPrefix = ownPrefix();
	const keys = new Keys(keyPrefix);
	const raw = clientAt(url());
	return {
		store: storeAt(url(), { keyPrefix }),
		second: storeAt(url(), { keyPrefix }),
		keys,
		raw,
		ttl: (key: string) => raw.pttl(keys.record(key)),
		rows: (key: string) => raw.zrange(keys.indexOf(key), '0', '-1'),
	};
}

afterEach(closeAll);

describe('what Redis keeps', () => {
	it('gives no time to live to what is not settled, and takes it back when a decision unsettles a record', async () => {
		const { store, ttl } = open();
		const claim = aClaim({ leaseMs: 1 });
		await store.claim([claim]);
		expect(await ttl(claim.key)).toBe(-1);
		await store.claim([another(claim)]); // to review
		expect(await ttl(claim.key)).toBe(-1);
		const [{ record }] = await store.seal([aSeal(claim, 'success')]);
		expect(await ttl(claim.key)).toBeGreaterThan(29 * 24 * HOUR);
		expect(record?.expiresAt).toBeGreaterThan(Date.now());
		const [decided] = await store.resolve([aDecision(record!, 'retry', { force: true })]);
		expect(decided.record?.state).toBe('retryable_failed');
		expect(await ttl(claim.key)).toBe(-1);
	});

	it('forgets final records at the moment the rules do, unless they are kept for ever', async () => {
		const { store, ttl } = open();
		const short = aClaim({ retentionSeconds: 1 });
		const ever = aClaim({ retentionSeconds: 0 });
		const failed = aClaim({ retentionSeconds: 60 });
		await store.claim([short, ever, failed]);
		const [sealed] = await store.seal([aSeal(short), aSeal(ever), aSeal(failed, 'permanent')]);
		// PEXPIRETIME would say it exactly, but only since Redis 7.
		const left = sealed.record!.expiresAt! - sealed.at;
		expect(left).toBe(1000);
		expect(await ttl(short.key)).toBeLessThanOrEqual(left);
		expect(await ttl(short.key)).toBeGreaterThan(left - 500);
		expect(await ttl(ever.key)).toBe(-1);
		expect(await ttl(failed.key)).toBeGreaterThan(50_000);
	});

	it('gives every state of a manual run kept apart its hour', async () => {
		const { store, ttl } = open();
		const claim = aClaim({ ephemeral: true });
		await store.claim([claim]);
		expect(await ttl(claim.key)).toBeGreaterThan(HOUR - 5000);
		await store.seal([aSeal(claim, 'unknown')]);
		expect(await ttl(claim.key)).toBeGreaterThan(HOUR - 10_000);
	});

	it('skips and purges the rows of records that Redis has removed, and counts each once', async () => {
		const { store, rows, raw, keys } = open();
		const claim = aClaim({ retentionSeconds: 1 });
		await store.claim([claim]);
		await store.seal([aSeal(claim, 'success', { externalId: 'ch_1' })]);
		await eventually(async () => expect(await raw.exists(keys.record(claim.key))).toBe(0));
		expect(await rows(claim.key)).toHaveLength(2);
		expect((await store.list({ limit: 10 })).records).toEqual([]);
		expect((await store.list({ limit: 10, externalId: 'ch_1' })).records).toEqual([]);
		expect((await store.statistics()).operations).toEqual([]);
		expect(await store.purge(10)).toBe(1);
		expect(await rows(claim.key)).toEqual([]);
		expect(await store.purge(10)).toBe(0);
	});

	it('purges the feed’s row of what failed for good, too, but not that of a new life', async () => {
		const { store, rows, raw, keys } = open();
		const [gone, back] = [aClaim({ retentionSeconds: 1 }), aClaim({ retentionSeconds: 1 })];
		await store.claim([gone, back]);
		await store.seal([aSeal(gone, 'permanent'), aSeal(back, 'permanent')]);
		await eventually(async () => expect(await raw.exists(keys.record(gone.key), keys.record(back.key))).toBe(0));
		const letters = async (key: string) => (await rows(key)).filter((row) => row.endsWith(key)).map(([letter]) => letter).join('');
		expect(await letters(gone.key)).toBe('FXf');
		const again = another(back, { retentionSeconds: 60 });
		await store.claim([again]);
		await store.seal([aSeal(again, 'permanent')]);
		expect((await store.changes({ feed: 'failed', after: null, limit: 10 })).records.map(({ key }) => key)).toEqual([back.key]);
		await store.purge(10);
		expect(await letters(gone.key)).toBe('');
		expect(await letters(back.key)).toBe('FXf');
	});

	it('keeps the new life of a key when the rows of the old one are purged', async () => {
		const { store, rows, raw, keys } = open();
		const claim = aClaim({ retentionSeconds: 1 });
		await store.claim([claim]);
		await store.seal([aSeal(claim)]);
		await eventually(async () => expect(await raw.exists(keys.record(claim.key))).toBe(0));
		const [answer] = await store.claim([another(claim)]);
		expect(answer.detail).toBe('first');
		expect(await store.list({ limit: 1 })).toMatchObject({ records: [answer.record], nextCursor: null });
		const [{ states }] = (await store.statistics()).operations;
		expect(states).toMatchObject({ processing: 1, succeeded: 0 });
		expect(await store.purge(10)).toBe(1);
		// of its state, and of its lease
		expect(await rows(claim.key)).toHaveLength(2);
		expect((await store.list({ limit: 10 })).records).toEqual([answer.record]);
	});

	it('forgets nothing before its time, whatever the clock of the one who asks', async () => {
		const { store, rows, raw, keys } = open();
		const claim = aClaim();
		await store.claim([claim]);
		await store.seal([aSeal(claim)]);
		const before = await rows(claim.key);
		const row = before.find((one) => one.startsWith('X'))!;
		const { source } = scripts.forget;
		expect(await raw.eval(source, 2, keys.record(claim.key), keys.indexOf(claim.key), 'row', row)).toBe(0);
		expect(await rows(claim.key)).toEqual(before);
	});

	it('leaves nothing of a released first attempt', async () => {
		const { store, rows, raw, keys } = open();
		const claim = aClaim();
		await store.claim([claim]);
		await store.release([{ key: claim.key, token: claim.token, attempt: 1, rerun: false, executionId: null }]);
		expect(await raw.exists(keys.record(claim.key))).toBe(0);
		expect(await rows(claim.key)).toEqual([]);
	});

	it('brings texts and results back as they were: NUL, lone surrogates, big numbers, empty lists', async () => {
		const { store } = open();
		const odd = 'a\u0000b\ud800c\udfff \u2028 "\\ 💳\n';
		const result = { odd, [odd]: [[], {}, null, 0.1, 1e300, 9007199254740991, -1.5e-7, true], __proto__x: { a: [] } };
		const claim = aClaim({ businessId: odd, key: 'charge_card:odd', scope: odd, version: '', correlationId: odd });
		const [claimed] = await store.claim([{ ...claim, owner: { ...claim.owner, nodeName: odd } }]);
		expect(claimed.record).toMatchObject({ businessId: odd, scope: odd, version: '', correlationId: odd });
		expect(claimed.record?.owner.nodeName).toBe(odd);
		await store.seal([aSeal(claim, 'success', { result, externalId: odd, executionId: odd })]);
		const { records } = await store.get([claim.key]);
		expect(records[0]?.result).toEqual(result);
		expect(records[0]?.externalId).toBe(odd);
		expect(records[0]?.history[1].executionId).toBe(odd);
		const found = await store.list({ limit: 1, externalId: odd, scope: odd });
		expect(found.records).toEqual(records);
	});

	it('says so when a record holds what it did not write', async () => {
		const { store, raw, keys } = open();
		const claim = aClaim();
		await store.claim([claim]);
		await raw.hset(keys.record(claim.key), 'owner', '{oops');
		expect((await failure(store.get([claim.key]))).error.code).toBe('UNREADABLE_RECORD');
		await raw.hset(keys.record(claim.key), 'leaseExpiresAt', 'soon', 'owner', '{}', 'attempt', 'x');
		expect((await failure(store.claim([another(claim)]))).error.code).toBe('UNREADABLE_RECORD');
		await raw.del(keys.record(claim.key));
		await raw.set(keys.record(claim.key), 'a string');
		expect((await failure(store.claim([another(claim)]))).error.code).toBe('UNREADABLE_RECORD');
	});
});

describe('an external ID under two keys', () => {
	it('is seen by the later of two successes, and by one of two at once', async () => {
		for (let round = 0; round < 20; round++) {
			const { store, second } = open();
			const one = aClaim();
			const other = aClaim();
			await store.claim([one, other]);
			const externalId = `id-${round}`;
			const [[a], [b]] = await Promise.all([
				store.seal([aSeal(one, 'success', { externalId })]),
				second.seal([aSeal(other, 'success', { externalId })]),
			]);
			expect([a.detail, b.detail]).toContain('anomaly');
			await closeAll();
		}
	});
});

describe('scripts', () => {
	it('come back after SCRIPT FLUSH, in the order of the batch', async () => {
		const { store, raw } = open();
		const claim = aClaim();
		await store.claim([aClaim()]);
		await raw.script('FLUSH');
		const batch = [claim, aClaim(), another(claim), aClaim(), another(claim)];
		const answers = await store.claim(batch);
		expect(answers.map(({ outcome }) => outcome)).toEqual(['claimed', 'claimed', 'in_progress', 'claimed', 'in_progress']);
		await raw.script('FLUSH');
		const distinct = Array.from({ length: 20 }, () => aClaim());
		expect((await store.claim(distinct)).every(({ outcome }) => outcome === 'claimed')).toBe(true);
		await raw.script('FLUSH');
		const [sealed] = await store.seal([aSeal(claim, 'success', { externalId: 'x' })]);
		expect(sealed).toMatchObject({ outcome: 'sealed', detail: null });
	});

	it('take a batch of thousands', async () => {
		const { store } = open();
		const batch = Array.from({ length: 3000 }, () => aClaim());
		const answers = await store.claim(batch);
		expect(answers.map(({ record }) => record?.key)).toEqual(batch.map(({ key }) => key));
		expect((await store.statistics()).operations[0].states.processing).toBe(3000);
		const keys: string[] = [];
		for (let cursor: string | undefined; ; ) {
			const page = await store.list({ limit: 700, ...(cursor === undefined ? {} : { cursor }) });
			keys.push(...page.records.map(({ key }) => key));
			if (page.nextCursor === null) break;
			cursor = page.nextCursor;
		}
		expect(keys).toHaveLength(3000);
		expect(new Set(keys).size).toBe(3000);
	});
});
