import type { Finding } from '../../../ledger/core/store';
import { aClaim, aRelease, aSeal } from '../../support/builders';
import { startRedis, type RedisServer } from '../../support/servers/startRedis';
import { clientAt, closeAll, eventually, failure, storeAt } from './withServer';

let server: RedisServer;
beforeAll(async () => {
	server = await startRedis({ config: { appendonly: 'yes' } });
});
afterAll(async () => await server.dispose());
afterEach(async () => {
	await configure('maxmemory', '0', 'maxmemory-policy', 'noeviction', 'appendonly', 'yes', 'save', '');
	await closeAll();
});

/** One at a time: several in one command is Redis 7. */
async function configure(...config: string[]): Promise<void> {
	const client = clientAt(server.url);
	for (let i = 0; i < config.length; i += 2) await client.config('SET', config[i], config[i + 1]);
}

const texts = (findings: Finding[], level: Finding['level']) =>
	findings.filter((finding) => finding.level === level).map(({ text }) => text);

async function inspectWith(...config: string[]) {
	await configure(...config);
	return await storeAt(server.url).inspect();
}

describe('the connection test', () => {
	it('finds nothing wrong with a server as it should be', async () => {
		const { server: name, findings } = await inspectWith('appendonly', 'yes', 'appendfsync', 'always');
		expect(name).toMatch(/^(Redis|Valkey) \d+\.\d+\.\d+ \(standalone\)$/);
		expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
		expect(texts(findings, 'ok')).toEqual(
			expect.arrayContaining([expect.stringContaining('noeviction'), expect.stringContaining('Primary with 0')]),
		);
	});

	it('changes nothing', async () => {
		await inspectWith();
		expect(await clientAt(server.url).dbsize()).toBe(0);
	});

	it.each([
		['allkeys-lru', 'not settled'],
		['volatile-ttl', 'before their time'],
	])('fails on %s with a limit, and warns of it without one', async (policy, harm) => {
		const limited = await inspectWith('maxmemory-policy', policy, 'maxmemory', '100mb');
		expect(texts(limited.findings, 'problem')).toEqual([expect.stringContaining(harm)]);
		const unlimited = await inspectWith('maxmemory', '0');
		expect(texts(unlimited.findings, 'problem')).toEqual([]);
		expect(texts(unlimited.findings, 'warning')).toContainEqual(expect.stringContaining(policy));
	});

	it('refuses a memory that a restart wipes, and of snapshots only; tells what a crash may lose', async () => {
		const nothing = await inspectWith('appendonly', 'no');
		expect(texts(nothing.findings, 'problem')).toEqual([expect.stringContaining('Nothing is kept on disk')]);
		const snapshots = await inspectWith('save', '3600 1');
		expect(texts(snapshots.findings, 'problem')).toEqual([expect.stringContaining('Only snapshots')]);
		const everySecond = await inspectWith('appendonly', 'yes', 'appendfsync', 'everysec');
		expect(texts(everySecond.findings, 'ok')).toContainEqual(expect.stringContaining('one second of writes'));
	});

	it('fails when Wait For Replicas asks for more than there are', async () => {
		const { findings } = await storeAt(server.url, { waitForReplicas: 1 }).inspect();
		expect(texts(findings, 'problem')).toEqual([expect.stringContaining('Wait For Replicas is 1, but only 0')]);
	});

	it('throws what every command would throw', async () => {
		const { error } = await failure(storeAt(server.url, { user: 'nobody', password: 'x' }).inspect());
		expect(error.code).toBe('AUTHENTICATION_FAILED');
	});
});

describe('the least rights', () => {
	// The list in inspectRights.ts.
	const RIGHTS =
		'+eval +evalsha +time +hset +hgetall +hmget +hdel +del +zadd +zrem +zrange +zrangebylex +zrandmember +pexpireat +persist';

	async function storeWith(rights: string, keys = '~least:*', changes = {}) {
		const admin = clientAt(server.url);
		await admin.call('ACL', 'SETUSER', 'least', 'reset', 'on', '>secret', keys, '-@all', ...rights.split(' '));
		return storeAt(server.url, { user: 'least', password: 'secret', keyPrefix: 'least', ...changes });
	}

	it('are enough for every method', async () => {
		const store = await storeWith(RIGHTS);
		const [claim, other, given] = [aClaim({ retentionSeconds: 1 }), aClaim(), aClaim()];
		await store.claim([claim, other, given]);
		await store.extend([{ key: claim.key, token: claim.token, attempt: 1, extendMs: 1 }]);
		const [sealed] = await store.seal([aSeal(claim, 'success', { externalId: 'x' }), aSeal(other, 'unknown')]);
		await store.release([aRelease(given)]);
		const [{ record }] = await store.claim([{ ...other, token: 'another' }]);
		await store.resolve([
			{ ...aSeal(other), revision: record!.revision, decision: 'succeeded', force: false, who: 'a', why: 'b', externalId: 'x', acceptChangedPayload: false },
		]);
		expect(sealed.outcome).toBe('sealed');
		await store.get([claim.key]);
		expect((await store.list({ limit: 5 })).records).toHaveLength(2);
		await store.statistics();
		await eventually(async () => expect(await store.purge(10)).toBe(1));
		const { findings } = await store.inspect();
		expect(texts(findings, 'problem')).toEqual([]);
		// What it may not ask for, it says.
		expect(texts(findings, 'warning')).toEqual(
			expect.arrayContaining([expect.stringContaining('INFO'), expect.stringContaining('maxmemory-policy could not be read')]),
		);
	});

	it('are named when one is missing, by the test and by the command', async () => {
		const store = await storeWith(RIGHTS.replace(' +hset', '').replace(' +zrandmember', ''));
		const { findings } = await store.inspect();
		expect(texts(findings, 'problem')).toEqual(['The Redis user may not run HSET; The Redis user may not run ZRANDMEMBER']);
		const { error } = await failure(store.claim([aClaim()]));
		expect(error).toMatchObject({ code: 'PERMISSION_DENIED', message: expect.stringContaining('HSET') });
		const noScripts = await storeWith(RIGHTS.replace('+eval +evalsha', '+time'));
		expect((await failure(noScripts.claim([aClaim()]))).error.message).toContain('EVALSHA');
	});

	it('on other keys only: says which pattern is needed', async () => {
		const store = await storeWith(RIGHTS, '~other:*');
		const { error } = await failure(store.claim([aClaim()]));
		expect(error).toMatchObject({ code: 'PERMISSION_DENIED', message: expect.stringContaining('keys') });
	});
});
