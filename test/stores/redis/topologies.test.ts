import { readFileSync } from 'node:fs';

import { SHARDS } from '../../../ledger/stores/redis/keys';
import { aClaim, aDecision, aSeal, another } from '../../support/builders';
import { makeCertificates } from '../../support/servers/certificates';
import { startRedis } from '../../support/servers/startRedis';
import { startRedisCluster } from '../../support/servers/startRedisCluster';
import { startSentinel } from '../../support/servers/startSentinel';
import { removeFolder } from '../../support/servers/temporaryFolder';
import { clientAt, closeAll, eventually, failure, storeAt } from './withServer';

const addresses = (servers: Array<{ host: string; port: number }>) => servers.map(({ host, port }) => ({ host, port }));

describe('a Redis Cluster', () => {
	it('spreads a ledger over its nodes: all methods, one record at most per key', async () => {
		const cluster = await startRedisCluster();
		try {
			const nodes = addresses(cluster.nodes.slice(0, 1));
			const store = storeAt(cluster.nodes[0].url, { mode: 'cluster', nodes });
			const rival = storeAt(cluster.nodes[0].url, { mode: 'cluster', nodes });
			const claims = Array.from({ length: 300 }, () => aClaim());
			const [mine, theirs] = await Promise.all([
				store.claim(claims),
				rival.claim(claims.map((claim) => another(claim)).reverse()),
			]);
			const won = [...mine, ...theirs].filter(({ outcome }) => outcome === 'claimed');
			expect(won.map(({ record }) => record?.key).sort()).toEqual(claims.map(({ key }) => key).sort());

			for (const node of cluster.nodes) expect(await clientAt(node.url).dbsize()).toBeGreaterThan(SHARDS / 2);
			const held = won.map(({ record }) => record!);
			const sealed = await store.seal(held.map((record, i) => aSeal(record, 'success', { externalId: `id-${Math.floor(i / 2)}` })));
			expect(sealed.filter(({ detail }) => detail === 'anomaly')).toHaveLength(300);
			expect((await store.list({ limit: 10, externalId: 'id-7' })).records).toHaveLength(2);
			const first = await store.list({ limit: 200, states: ['succeeded'] });
			const second = await store.list({ limit: 200, states: ['succeeded'], cursor: first.nextCursor! });
			expect(new Set([...first.records, ...second.records].map(({ key }) => key)).size).toBe(300);
			expect((await store.statistics()).operations[0].states.succeeded).toBe(300);
			const [decided] = await store.resolve([aDecision(sealed[0].record!, 'succeeded', { externalId: 'other' })]);
			expect(decided.outcome).toBe('resolved');
			expect(await store.purge(10)).toBe(0);

			// Feeds and sweeps go over all nodes, each with a clock of its own.
			const lost = Array.from({ length: 60 }, () => aClaim({ leaseMs: 1 }));
			await store.claim(lost);
			await eventually(async () => expect((await store.list({ stuck: true, limit: 100 })).records).toHaveLength(60));
			const moved = [...(await store.expire({ limit: 50, graceMs: 0 })), ...(await rival.expire({ limit: 50, graceMs: 0 }))];
			expect(moved.map(({ key }) => key).sort()).toEqual(lost.map(({ key }) => key).sort());
			const part = await store.changes({ feed: 'review', after: null, limit: 40 });
			const rest = await store.changes({ feed: 'review', after: part.next, limit: 40 });
			expect(rest.next).toBeNull();
			const inFeed = [...part.records, ...rest.records];
			expect(inFeed.map(({ key }) => key)).toEqual([...moved].sort((a, b) => a.updatedAt - b.updatedAt || (a.key < b.key ? -1 : 1)).map(({ key }) => key));

			const report = await store.inspect();
			expect(report.server).toContain('(cluster)');
			// The test's nodes keep nothing on disk, and it is told; nothing else is wrong with them.
			expect(report.findings.filter(({ level, text }) => level === 'problem' && !text.startsWith('Nothing is kept on disk'))).toEqual([]);
			expect(report.findings).toContainEqual({ level: 'ok', text: 'The cluster serves all slots' });

			// Scripts are known per node; a batch meets some that forgot them.
			await clientAt(cluster.nodes[1].url).script('FLUSH');
			const repeated = await store.claim(Array.from({ length: 60 }, (_none, i) => another(claims[i % 30])));
			expect(repeated.every(({ outcome }) => outcome === 'succeeded')).toBe(true);

			const single = storeAt(cluster.nodes[0].url);
			expect((await failure(single.claim(claims))).error).toMatchObject({ code: 'INVALID_SETTINGS', message: expect.stringContaining('Cluster') });

			await cluster.nodes[2].kill();
			const { error } = await failure(store.claim(claims));
			expect(error).toMatchObject({ code: 'UNREACHABLE', retryable: true });
			await cluster.nodes[2].start();
			// Nothing was kept on disk there: the node forgot its slots' records, not the cluster's shape.
			await eventually(async () => await store.claim(claims.map((claim) => another(claim))), 15_000);
		} finally {
			await closeAll();
			await cluster.dispose();
		}
	}, 60_000);
});

describe('Redis Sentinel', () => {
	it('leads to the primary, and after its death to the replica that was promoted', async () => {
		const primary = await startRedis({ password: 'pass', config: { 'repl-diskless-sync-delay': 0 } });
		const replica = await startRedis({ password: 'pass', replicaOf: primary });
		const sentinel = await startSentinel(primary);
		try {
			const settings = { mode: 'sentinel' as const, nodes: addresses([sentinel]), sentinelName: 'ledger', waitForReplicas: 1 };
			const store = storeAt(primary.url, settings);
			const claim = aClaim();
			const [answer] = await eventually(async () => await store.claim([claim]));
			expect(answer.outcome).toBe('claimed');
			await store.seal([aSeal(claim, 'success', { result: { charge: 1 } })]);

			const unknown = await failure(storeAt(primary.url, { ...settings, sentinelName: 'nobody' }).claim([claim]));
			expect(unknown.error.code).toBe('UNREACHABLE');
			const wrong = await failure(storeAt(primary.url, { ...settings, password: 'wrong' }).claim([claim]));
			expect(wrong.error.code).toBe('AUTHENTICATION_FAILED');

			// The sentinel has to know the replica before it can promote it.
			await eventually(async () =>
				expect(await clientAt(sentinel.url).call('SENTINEL', 'replicas', 'ledger')).toHaveLength(1),
			15_000);
			await primary.kill();
			expect((await failure(store.claim([another(claim)]))).error.retryable).toBe(true);
			const alone = storeAt(primary.url, { ...settings, waitForReplicas: 0 });
			const [replay] = await eventually(async () => await alone.claim([another(claim)]), 20_000);
			expect(replay).toMatchObject({ outcome: 'succeeded', record: { result: { charge: 1 } } });
		} finally {
			await closeAll();
			await Promise.all([sentinel, replica, primary].map(async (server) => await server.dispose()));
		}
	}, 60_000);
});

describe('TLS', () => {
	it('with an authority and a client certificate; without either, or for another host, not', async () => {
		const { server, client, otherHost, folder } = makeCertificates();
		const read = (path: string) => readFileSync(path, 'utf8');
		const redis = await startRedis({ tls: { ...server, clientCertificates: true } });
		const other = await startRedis({ tls: otherHost });
		try {
			const none = { ca: null, certificate: null, key: null, passphrase: null, serverName: null };
			const own = { ...none, enabled: true, verify: true, ca: read(server.ca), certificate: read(client.certificate), key: read(client.key) };
			const claimWith = async (tls: typeof own | (Omit<typeof own, 'ca'> & { ca: null }), url = redis.url) =>
				await storeAt(url, { tls, connectTimeoutMs: 2000 }).claim([aClaim()]);
			expect((await claimWith(own))[0].outcome).toBe('claimed');
			expect((await failure(claimWith({ ...own, ca: null }))).error.code).toBe('TLS_FAILED');
			const uncertified = await failure(storeAt(redis.url, { tls: { ...own, certificate: null, key: null } }).claim([aClaim()]));
			expect(['TLS_FAILED', 'UNREACHABLE']).toContain(uncertified.error.code);
			expect((await failure(claimWith(own, other.url))).error.code).toBe('TLS_FAILED');
			expect((await storeAt(other.url, { tls: { ...own, serverName: 'ledger.example' } }).claim([aClaim()]))[0].outcome).toBe('claimed');
			expect((await storeAt(other.url, { tls: { ...own, verify: false, ca: null } }).claim([aClaim()]))[0].outcome).toBe('claimed');

			const plain = storeAt(redis.url, { tls: { ...own, enabled: false }, connectTimeoutMs: 2000 });
			expect((await failure(plain.claim([aClaim()]))).error.code).toBe('UNREACHABLE');
		} finally {
			await closeAll();
			await Promise.all([redis.dispose(), other.dispose()]);
			removeFolder(folder);
		}
	});
});
