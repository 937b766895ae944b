import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import type { PostgresSettings } from '../../ledger/core/settings';
import { LedgerRegistry } from '../../ledger/stores/ledgerRegistry';
import type { RegistryOptions } from '../../ledger/stores/ledgerRegistry';
import { MemoryStore } from '../../ledger/stores/memory/MemoryStore';
import { removeFolder, temporaryFolder } from '../support/servers/temporaryFolder';

const REGISTRY = Symbol.for('n8n-nodes-idempotency.ledgers');
type Registries = { [protocol: number]: Map<string, unknown> };
const shared = () => (globalThis as { [REGISTRY]?: Registries })[REGISTRY];
const entries = () => [...(shared()?.[1] ?? [])];

/** A ledger that tells whether it was closed, and what its purges were asked. */
class WatchedStore extends MemoryStore {
	closings = 0;
	purges: number[] = [];
	/** what a purge does instead of its own work */
	purging: (() => Promise<number>) | null = null;

	override async close() {
		this.closings += 1;
		await super.close();
	}

	override async purge(limit: number) {
		this.purges.push(limit);
		return this.purging ? this.purging() : super.purge(limit);
	}
}

function settings(changes: Partial<PostgresSettings> = {}): PostgresSettings {
	return {
		kind: 'postgres',
		host: 'ledger.example',
		port: 5432,
		database: 'n8n',
		user: 'n8n',
		password: 'correct horse battery staple',
		schema: 'public',
		tablePrefix: 'idempotency_',
		tls: { enabled: false, verify: true, ca: null, certificate: null, key: null, passphrase: null, serverName: null },
		maxConnections: 5,
		createTables: true,
		connectTimeoutMs: 1000,
		commandTimeoutMs: 1000,
		...changes,
	};
}

/** A registry whose stores are watched, with a clock that the test moves. */
function watched(options: RegistryOptions = {}, Registry = LedgerRegistry) {
	const opened: WatchedStore[] = [];
	const clock = { now: 0 };
	const registry = new Registry({
		open: async () => {
			const store = new WatchedStore();
			opened.push(store);
			return store;
		},
		monotonicNow: () => clock.now,
		...options,
	});
	return { registry, opened, clock };
}

const nothing = async () => undefined;
/** A use that lasts until the test ends it. */
function lasting() {
	let end!: () => void;
	const ended = new Promise<void>((resolve) => (end = resolve));
	return { use: () => ended, end };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
	delete (globalThis as { [REGISTRY]?: Registries })[REGISTRY];
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});
afterEach(() => jest.useRealTimers());

describe('One store per set of settings', () => {
	test('callers of the same moment share one opening', async () => {
		const { registry, opened } = watched();
		const stores = await Promise.all([1, 2, 3].map(() => registry.withLedger(settings(), async (store) => store)));
		expect(opened).toHaveLength(1);
		expect(new Set(stores).size).toBe(1);
	});

	test('the order of the fields makes no difference, each value does', async () => {
		const { registry, opened } = watched();
		await registry.withLedger(settings(), nothing);
		const { tls, host, ...rest } = settings();
		await registry.withLedger({ tls: { ...tls }, ...rest, host }, nothing);
		expect(opened).toHaveLength(1);
		await registry.withLedger(settings({ password: 'another' }), nothing);
		await registry.withLedger(settings({ tls: { ...tls, serverName: 'x' } }), nothing);
		expect(opened).toHaveLength(3);
	});

	test('no setting can be read in what is kept on globalThis', async () => {
		const { registry } = watched();
		await registry.withLedger(settings(), nothing);
		expect(entries()).toHaveLength(1);
		const text = JSON.stringify(entries(), (_name, value) => (value instanceof MemoryStore ? 'store' : value));
		expect(text).not.toMatch(/correct horse|ledger\.example/);
	});

	test('a store that could not be opened is not kept', async () => {
		let tries = 0;
		const { registry } = watched({
			open: async () => {
				tries += 1;
				if (tries === 1) throw new Error('server away');
				return new WatchedStore();
			},
		});
		await expect(registry.withLedger(settings(), nothing)).rejects.toThrow('server away');
		expect(entries()).toHaveLength(0);
		expect(jest.getTimerCount()).toBe(0);
		await registry.withLedger(settings(), nothing);
		expect(tries).toBe(2);
	});

	test('an error of a command leaves the store open', async () => {
		const { registry, opened } = watched();
		const failing = async () => Promise.reject(new Error('no'));
		await expect(registry.withLedger(settings(), failing)).rejects.toThrow('no');
		await registry.withLedger(settings(), nothing);
		expect(opened).toHaveLength(1);
	});
});

describe('Stores are closed when nobody uses them', () => {
	test('after five idle minutes, not before', async () => {
		const { registry, opened } = watched();
		await registry.withLedger(settings(), nothing);
		await turn();
		jest.advanceTimersByTime(5 * 60_000 - 1);
		expect(opened[0].closings).toBe(0);
		jest.advanceTimersByTime(1);
		await turn();
		expect(opened[0].closings).toBe(1);
		await registry.withLedger(settings(), nothing);
		expect(opened).toHaveLength(2);
	});

	test('use starts the five minutes anew, and a running command is never cut off', async () => {
		const { registry, opened } = watched();
		const { use, end } = lasting();
		await registry.withLedger(settings(), nothing);
		await turn();
		jest.advanceTimersByTime(4 * 60_000);
		const running = registry.withLedger(settings(), use);
		await registry.withLedger(settings(), nothing);
		jest.advanceTimersByTime(60 * 60_000);
		await turn();
		expect(opened[0].closings).toBe(0);
		end();
		await running;
		jest.advanceTimersByTime(5 * 60_000);
		await turn();
		expect(opened[0].closings).toBe(1);
	});

	test('the one unused for longest makes room', async () => {
		const { registry, opened, clock } = watched({ maxStores: 2 });
		for (const database of ['a', 'b', 'a', 'c']) {
			clock.now += 1;
			await registry.withLedger(settings({ database }), nothing);
			await turn();
		}
		expect(opened.map(({ closings }) => closings)).toEqual([0, 1, 0]);
		expect(entries()).toHaveLength(2);
	});

	test('a store in use is not closed to make room; there are too many until it is done', async () => {
		const { registry, opened } = watched({ maxStores: 1 });
		const { use, end } = lasting();
		const first = registry.withLedger(settings({ database: 'a' }), use);
		const second = registry.withLedger(settings({ database: 'b' }), use);
		await turn();
		expect(opened.map(({ closings }) => closings)).toEqual([0, 0]);
		end();
		await Promise.all([first, second]);
		await turn();
		await turn();
		expect(opened.reduce((sum, { closings }) => sum + closings, 0)).toBe(1);
	});

	test('idle stores do not keep the process alive', () => {
		const folder = temporaryFolder('registry');
		const outfile = join(folder, 'registry.js');
		buildSync({
			stdin: {
				contents: `
					import { withLedger } from './ledger/stores/ledgerRegistry';
					withLedger({ kind: 'memory' }, (store) => store.claim([])).then(() => console.log('answered'));`,
				resolveDir: join(__dirname, '../..'),
				loader: 'ts',
			},
			outfile,
			bundle: true,
			platform: 'node',
			external: ['./postgres/PostgresStore', './redis/RedisStore'],
			logLevel: 'error',
		});
		const { stdout, signal } = spawnSync(process.execPath, [outfile], { timeout: 20_000, encoding: 'utf8' });
		removeFolder(folder);
		expect({ stdout, signal }).toEqual({ stdout: 'answered\n', signal: null });
	});
});

describe('An update of the package loads a second copy', () => {
	/** The module as n8n loads it again after clearing its require cache. */
	function secondCopy(): typeof LedgerRegistry {
		let copy: typeof LedgerRegistry | undefined;
		jest.isolateModules(() => {
			copy = jest.requireActual<{ LedgerRegistry: typeof LedgerRegistry }>('../../ledger/stores/ledgerRegistry').LedgerRegistry;
		});
		return copy!;
	}

	test('importing it does nothing', () => {
		expect(secondCopy()).not.toBe(LedgerRegistry);
		expect(shared()).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('it never gets a store of the first', async () => {
		const old = watched();
		const updated = watched({}, secondCopy());
		await old.registry.withLedger(settings(), nothing);
		await updated.registry.withLedger(settings(), nothing);
		expect([old.opened.length, updated.opened.length]).toEqual([1, 1]);
	});

	test('the stores of the first are closed when idle, or to make room for the second', async () => {
		const old = watched({ maxStores: 2 });
		const updated = watched({ maxStores: 2 }, secondCopy());
		for (const database of ['a', 'b']) {
			old.clock.now += 1;
			await old.registry.withLedger(settings({ database }), nothing);
		}
		await turn();
		updated.clock.now = 10;
		await updated.registry.withLedger(settings(), nothing);
		await turn();
		expect(old.opened.map(({ closings }) => closings)).toEqual([1, 0]);
		jest.advanceTimersByTime(5 * 60_000);
		await turn();
		expect(old.opened.map(({ closings }) => closings)).toEqual([1, 1]);
		expect(entries()).toHaveLength(0);
	});
});

describe('Expired records are purged behind the answers', () => {
	test('in small steps, after the answer, once a minute', async () => {
		const { registry, opened, clock } = watched();
		await registry.withLedger(settings(), async (store) => {
			await turn();
			expect((store as WatchedStore).purges).toEqual([]);
		});
		expect(opened[0].purges).toEqual([]);
		await turn();
		expect(opened[0].purges).toEqual([100]);
		clock.now += 59_999;
		await registry.withLedger(settings(), nothing);
		await turn();
		expect(opened[0].purges).toEqual([100]);
		clock.now += 1;
		await registry.withLedger(settings(), nothing);
		await turn();
		expect(opened[0].purges).toEqual([100, 100]);
	});

	test('sooner again while a step finds all it may remove', async () => {
		const { registry, opened, clock } = watched();
		await registry.withLedger(settings(), async (store) => {
			(store as WatchedStore).purging = async () => 100;
		});
		await turn();
		clock.now += 999;
		await registry.withLedger(settings(), nothing);
		await turn();
		expect(opened[0].purges).toHaveLength(1);
		clock.now += 1;
		await registry.withLedger(settings(), nothing);
		await turn();
		expect(opened[0].purges).toHaveLength(2);
	});

	test('a purge that fails is nobody else’s failure', async () => {
		const { registry, opened, clock } = watched();
		await registry.withLedger(settings(), async (store) => {
			(store as WatchedStore).purging = async () => Promise.reject(new Error('no right to delete'));
		});
		await turn();
		clock.now += 60_000;
		await expect(registry.withLedger(settings(), async () => 'answer')).resolves.toBe('answer');
		await turn();
		expect(opened[0].purges).toHaveLength(2);
	});

	test('a purge under way delays no answer and is not cut off', async () => {
		const { registry, opened } = watched();
		const { use: running, end } = lasting();
		await registry.withLedger(settings(), async (store) => {
			(store as WatchedStore).purging = async () => running().then(() => 0);
		});
		await turn();
		await expect(registry.withLedger(settings(), async () => 'answer')).resolves.toBe('answer');
		jest.advanceTimersByTime(60 * 60_000);
		await turn();
		expect(opened[0].purges).toHaveLength(1);
		expect(opened[0].closings).toBe(0);
		end();
		await turn();
		jest.advanceTimersByTime(5 * 60_000);
		await turn();
		expect(opened[0].closings).toBe(1);
	});
});
