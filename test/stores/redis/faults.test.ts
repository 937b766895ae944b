import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';

import { isLedgerError } from '../../../ledger/core/errors';
import { aClaim, aSeal, another } from '../../support/builders';
import { startRedis, type RedisServer } from '../../support/servers/startRedis';
import { clientAt, closeAll, eventually, failure, storeAt } from './withServer';

let server: RedisServer;
const started: RedisServer[] = [];
async function start(options?: Parameters<typeof startRedis>[0]): Promise<RedisServer> {
	const one = await startRedis(options);
	started.push(one);
	return one;
}

beforeAll(async () => {
	server = await startRedis({ durable: true, password: 'p@ss word' });
});
afterAll(async () => await server.dispose());
afterEach(async () => {
	await closeAll();
	await Promise.all(started.splice(0).map(async (one) => await one.dispose()));
});

describe('what fails, fails closed', () => {
	it('wrong password: named, and the password is nowhere in the error', async () => {
		const store = storeAt(server.url, { password: 'the-wrong-secret' });
		const { error } = await failure(store.claim([aClaim()]));
		expect(error.code).toBe('AUTHENTICATION_FAILED');
		expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('the-wrong-secret');
		const none = await failure(storeAt(server.url, { password: '' }).claim([aClaim()]));
		expect(none.error.code).toBe('AUTHENTICATION_FAILED');
	});

	it('a payload is nowhere in the error either', async () => {
		const full = await start({ config: { maxmemory: '1' } });
		const claim = aClaim({ correlationId: 'the-secret-payload' });
		const { error } = await failure(storeAt(full.url).claim([claim]));
		expect(error.code).toBe('OUT_OF_SPACE');
		expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('the-secret-payload');
	});

	it('a database that is not there: never the first one instead', async () => {
		const store = storeAt(server.url, { database: 99 });
		expect((await failure(store.claim([aClaim()]))).error.code).toBe('DATABASE_MISSING');
		const claim = aClaim();
		await storeAt(server.url, { database: 3 }).claim([claim]);
		expect((await storeAt(server.url).get([claim.key])).records).toEqual([null]);
	});

	it('memory full: the claim is refused and leaves nothing, what is there can still be read', async () => {
		const small = await start({ config: { maxmemory: '4mb', 'maxmemory-policy': 'noeviction' } });
		const store = storeAt(small.url);
		const held = aClaim();
		await store.claim([held]);
		const filler = clientAt(small.url);
		await expect(
			(async () => {
				for (;;) await filler.append('filler', 'x'.repeat(100_000));
			})(),
		).rejects.toThrow('OOM');
		const claim = aClaim();
		expect((await failure(store.claim([claim]))).error).toMatchObject({ code: 'OUT_OF_SPACE', retryable: true });
		expect((await store.get([claim.key, held.key])).records.map((record) => record?.state)).toEqual([undefined, 'processing']);
		expect((await store.list({ limit: 10 })).records).toHaveLength(1);
		await filler.del('filler');
		expect((await store.claim([claim]))[0].detail).toBe('first');
	});

	it('a disk that takes no more: writes are refused, reads go on', async () => {
		const store = storeAt(server.url);
		const held = aClaim();
		await store.claim([held]);
		const raw = clientAt(server.url);
		// The nearest thing without a full disk: too few replicas make the server refuse writes.
		await raw.config('SET', 'min-replicas-to-write', '1');
		try {
			expect((await failure(store.claim([aClaim()]))).error.code).toBe('REPLICAS_SHORT');
			expect((await store.get([held.key])).records[0]?.key).toBe(held.key);
		} finally {
			await raw.config('SET', 'min-replicas-to-write', '0');
		}
	});

	it('a replica: neither claims nor reads', async () => {
		const replica = await start({ replicaOf: server });
		const store = storeAt(replica.url, { password: '' });
		expect((await failure(store.claim([aClaim()]))).error.code).toBe('READ_ONLY');
		expect((await failure(store.get(['a:b']))).error.code).toBe('READ_ONLY');
		expect((await store.inspect()).findings).toMatchObject([{ level: 'problem', text: expect.stringContaining('replica') }]);
	});

	it('a primary that becomes a replica while connected: every method is refused from then on', async () => {
		const demoted = await start();
		const store = storeAt(demoted.url);
		const claim = aClaim();
		await store.claim([claim]);
		await clientAt(demoted.url).call('REPLICAOF', '127.0.0.1', '1');
		for (const work of [
			() => store.get([claim.key]),
			() => store.list({ limit: 1 }),
			() => store.statistics(),
			() => store.extend([{ key: claim.key, token: 'not it', attempt: 1, extendMs: 1 }]),
			() => store.claim([another(claim)]),
		]) {
			expect((await failure(work())).error.code).toBe('READ_ONLY');
		}
	});

	it('too few replicas for Wait For Replicas: thrown, and with a replica it goes through', async () => {
		const primary = await start({ config: { 'repl-diskless-sync-delay': 0 } });
		const store = storeAt(primary.url, { waitForReplicas: 1, commandTimeoutMs: 600 });
		const claim = aClaim();
		expect((await failure(store.claim([claim]))).error).toMatchObject({ code: 'REPLICAS_SHORT', retryable: true });
		await start({ replicaOf: primary });
		const answer = await eventually(async () => (await store.claim([claim]))[0]);
		expect(answer).toMatchObject({ outcome: 'claimed', detail: 'own' });
	});

	it('settings that cannot be: refused before anything is sent', () => {
		for (const keyPrefix of ['', '{a}', 'a}', 'a b', 'a*', 'a\nb', 'a?', '[a]', ':a', 'x'.repeat(65), 'ä']) {
			expect(() => storeAt(server.url, { keyPrefix })).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }));
		}
		expect(() => storeAt(server.url, { mode: 'cluster', database: 1 })).toThrow('database 0');
		expect(() => storeAt(server.url, { mode: 'sentinel' })).toThrow('Master Name');
		expect(() => storeAt(server.url, { nodes: [] })).toThrow('host');
	});

	it('a server of another kind', async () => {
		const { error } = await failure(storeAt(server.url, { mode: 'cluster' }).claim([aClaim()]));
		expect(error).toMatchObject({ code: 'INVALID_SETTINGS', message: expect.stringContaining('no Redis Cluster') });
	});
});

describe('nothing hangs', () => {
	it('nobody there', async () => {
		const gone = await start();
		const store = storeAt(gone.url);
		await gone.stop();
		const { error, ms } = await failure(store.claim([aClaim()]));
		expect(error.code).toBe('UNREACHABLE');
		expect(error.message).toContain('ECONNREFUSED');
		expect(ms).toBeLessThan(1000);
	});

	it('somebody who takes connections and never says a word', async () => {
		const mute = createServer(() => undefined);
		await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
		const { port } = mute.address() as { port: number };
		mute.unref();
		for (const mode of ['standalone', 'sentinel', 'cluster'] as const) {
			const nodes = [{ host: '127.0.0.1', port }];
			const store = storeAt(server.url, { mode, nodes, sentinelName: 'ledger', connectTimeoutMs: 300 });
			const { error, ms } = await failure(store.claim([aClaim()]));
			expect(isLedgerError(error)).toBe(true);
			expect(['UNREACHABLE', 'TIMEOUT']).toContain(error.code);
			expect(ms).toBeLessThan(1500);
		}
	});

	it('a server that freezes: each command times out, and works again once it goes on', async () => {
		const frozen = await start();
		const store = storeAt(frozen.url, { commandTimeoutMs: 300, connectTimeoutMs: 300 });
		const claim = aClaim();
		await store.claim([claim]);
		frozen.pause();
		const first = await failure(store.claim([claim]));
		expect(first.error.code).toBe('TIMEOUT');
		expect(first.ms).toBeLessThan(1000);
		const work = [() => store.get([claim.key]), () => store.list({ limit: 1 }), () => store.statistics(), () => store.purge(1), () => store.inspect()];
		const results = await Promise.all(work.map(async (one) => await failure(one())));
		for (const { error, ms } of results) {
			expect(['UNREACHABLE', 'TIMEOUT']).toContain(error.code);
			expect(ms).toBeLessThan(1500);
		}
		frozen.resume();
		const [again] = await eventually(async () => await store.claim([claim]));
		expect(again).toMatchObject({ outcome: 'claimed', detail: 'own' });
	});

	it('a connection that leads nowhere any more: given up after one time-out, the next command goes by a new one', async () => {
		const through: Socket[] = [];
		const proxy = createServer((socket) => {
			const onward = connect(server.port, server.host);
			through.push(socket.on('error', () => undefined), onward.on('error', () => undefined));
			socket.pipe(onward).pipe(socket);
		});
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		const { port } = proxy.address() as { port: number };
		const store = storeAt(server.url, { nodes: [{ host: '127.0.0.1', port }], commandTimeoutMs: 300 });
		const claim = aClaim();
		await store.claim([claim]);
		for (const socket of through) socket.unpipe().pause();
		const lost = await failure(store.claim([another(claim)]));
		const next = await store.claim([another(claim)]).catch((error) => [error]);
		for (const socket of through) socket.destroy();
		await closeAll();
		proxy.close();
		expect(lost.error.code).toBe('TIMEOUT');
		expect(next[0]).toMatchObject({ outcome: 'in_progress' });
	});

	it('close: in the middle of a command, twice, and commands after it', async () => {
		const frozen = await start();
		const store = storeAt(frozen.url);
		await store.claim([aClaim()]);
		frozen.pause();
		const pending = failure(store.claim([aClaim()]));
		await new Promise((resolve) => setTimeout(resolve, 50));
		await store.close();
		await store.close();
		const { error, ms } = await pending;
		expect(error.code).toBe('CLOSED');
		expect(ms).toBeLessThan(1000);
		frozen.resume();
		expect((await failure(store.get([]))).error.code).toBe('CLOSED');
	});

	it('close leaves no connection behind', async () => {
		const raw = clientAt(server.url);
		const count = async () => (String(await raw.client('LIST')).match(/name=n8n-nodes-idempotency/g) ?? []).length;
		await eventually(async () => expect(await count()).toBe(0)); // of the tests before
		const stores = [storeAt(server.url), storeAt(server.url)];
		await Promise.all(stores.map(async (store) => await store.claim([aClaim()])));
		expect(await count()).toBe(2);
		await Promise.all(stores.map(async (store) => await store.close()));
		await eventually(async () => expect(await count()).toBe(0));
	});
});

describe('servers that come back', () => {
	it('killed and restarted with an append-only file: the ledger is whole, the same store goes on', async () => {
		const store = storeAt(server.url);
		const [held, done] = [aClaim(), aClaim()];
		await store.claim([held, done]);
		await store.seal([aSeal(done, 'success', { result: { charge: 'ch_1' }, externalId: 'ch_1' })]);
		const before = (await store.get([held.key, done.key])).records;
		await server.kill();
		expect((await failure(store.claim([another(done)]))).error.code).toBe('UNREACHABLE');
		await server.start();
		const after = await eventually(async () => (await store.get([held.key, done.key])).records);
		expect(after).toEqual(before);
		const [replay, busy] = await store.claim([another(done), another(held)]);
		expect([replay.outcome, busy.outcome]).toEqual(['succeeded', 'in_progress']);
		expect((await store.list({ limit: 10, externalId: 'ch_1' })).records).toHaveLength(1);
	});

	it('connections cut in the middle of many claims: each is a throw or the specified answer', async () => {
		const store = storeAt(server.url);
		const raw = clientAt(server.url);
		const claims = Array.from({ length: 300 }, () => aClaim());
		const work = claims.map(async (claim, i) => {
			if (i % 50 === 25) await raw.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
			return await store.claim([claim]).catch((error) => ({ error }));
		});
		for (const result of await Promise.all(work)) {
			if ('error' in result) expect(result.error).toMatchObject({ code: 'UNREACHABLE' });
			else expect(result[0]).toMatchObject({ outcome: 'claimed', detail: 'first' });
		}
		const again = await eventually(async () => await store.claim(claims));
		expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['claimed']));
	});

	it('many commands during an outage make few attempts to connect', async () => {
		let attempts = 0;
		const refusing = createServer((socket) => {
			attempts += 1;
			socket.destroy();
		});
		await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
		const { port } = refusing.address() as { port: number };
		const store = storeAt(server.url, { nodes: [{ host: '127.0.0.1', port }] });
		const until = Date.now() + 1000;
		while (Date.now() < until) await Promise.all([1, 2, 3, 4].map(async () => await failure(store.claim([aClaim()]))));
		refusing.close();
		expect(attempts).toBeGreaterThan(1);
		expect(attempts).toBeLessThan(15);
	});
});
