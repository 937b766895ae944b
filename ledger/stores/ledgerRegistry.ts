import { createHmac, randomBytes } from 'node:crypto';

import type { StoreSettings } from '../core/settings';
import type { LedgerStore } from '../core/store';
import { openStore } from './openStore';

/**
 * One entry of the registry. Its shape is a protocol between copies of this module: after an update
 * of the package the new copy finds entries of the old one, and may close them, never use them.
 */
interface SharedLedger {
	/** callers inside `withLedger` */
	users: number;
	/** monotonic ms */
	lastUsedAt: number;
	/** takes the entry out and closes the store; never rejects */
	close(): Promise<void>;
}

/** Of this copy; what it keeps beside the protocol. */
interface OwnLedger extends SharedLedger {
	key: string;
	/** the promise is kept, not the store, so that callers at the same moment open one store */
	opening: Promise<LedgerStore>;
	idleTimer: NodeJS.Timeout | null;
	/** monotonic ms; from then on a purge is due */
	purgeAt: number;
}

export interface RegistryOptions {
	open?: (settings: StoreSettings) => Promise<LedgerStore>;
	/** stores open at once; one in use is never closed for it */
	maxStores?: number;
	/** a store that nobody used for so long is closed */
	idleMs?: number;
	/** at most one step in so long … */
	purgeEveryMs?: number;
	/** … or in so long while a step finds as much as it may remove, else a busy ledger would outgrow it */
	purgeAgainMs?: number;
	/** records removed in one step */
	purgeStep?: number;
	monotonicNow?: () => number;
}

/** Changes whenever SharedLedger does; copies with another number keep a registry of their own. */
const PROTOCOL = 1;
const REGISTRY = Symbol.for('n8n-nodes-idempotency.ledgers');

/** The entries of all copies of this module in the process. Made on first use: an import does nothing. */
function sharedLedgers(): Map<string, SharedLedger> {
	const holder = globalThis as { [REGISTRY]?: { [protocol: number]: Map<string, SharedLedger> } };
	const registries = (holder[REGISTRY] ??= {});
	return (registries[PROTOCOL] ??= new Map());
}

/**
 * Stores shared by all nodes and executions of the process, one per set of settings.
 *
 * n8n loads an updated package into the running process, beside stores and executions of the old
 * copy. Keys are made with a secret of each copy, so that new code never gets an old store, whatever
 * the version numbers say; the old store is closed by its own timer, or when room is needed.
 */
export class LedgerRegistry {
	private readonly options: Required<RegistryOptions>;
	private secret: Buffer | null = null;

	constructor(options: RegistryOptions = {}) {
		this.options = {
			open: openStore,
			maxStores: 20,
			idleMs: 5 * 60_000,
			purgeEveryMs: 60_000,
			purgeAgainMs: 1_000,
			purgeStep: 100,
			monotonicNow: () => performance.now(),
			...options,
		};
	}

	/**
	 * Run commands on the store of these settings. It is opened if need be and not closed before `use`
	 * has settled. A store that can't be opened isn't kept: the next call tries again.
	 * @throws LedgerError of `openStore`; whatever `use` throws
	 */
	async withLedger<T>(settings: StoreSettings, use: (store: LedgerStore) => Promise<T>): Promise<T> {
		const ledger = this.acquire(settings);
		try {
			const store = await ledger.opening;
			const answer = await use(store);
			this.purgeBehind(ledger, store);
			return answer;
		} finally {
			this.release(ledger);
		}
	}

	private acquire(settings: StoreSettings): OwnLedger {
		const key = this.keyOf(settings);
		// Only this copy makes such keys, so the entry is its own.
		const ledger = (sharedLedgers().get(key) as OwnLedger | undefined) ?? this.add(key, settings);
		ledger.users += 1;
		if (ledger.idleTimer) clearTimeout(ledger.idleTimer);
		ledger.idleTimer = null;
		return ledger;
	}

	private add(key: string, settings: StoreSettings): OwnLedger {
		const ledgers = sharedLedgers();
		const opening = this.options.open(settings);
		const ledger: OwnLedger = {
			key,
			users: 0,
			lastUsedAt: this.options.monotonicNow(),
			opening,
			idleTimer: null,
			purgeAt: -Infinity,
			async close() {
				// Out first: who comes during the closing gets a new store.
				if (ledgers.get(key) === ledger) ledgers.delete(key);
				if (ledger.idleTimer) clearTimeout(ledger.idleTimer);
				await opening.then((store) => store.close()).catch(() => undefined);
			},
		};
		opening.catch(() => ledger.close());
		ledgers.set(key, ledger);
		this.makeRoom(ledger);
		return ledger;
	}

	private release(ledger: OwnLedger): void {
		ledger.users -= 1;
		ledger.lastUsedAt = this.options.monotonicNow();
		// Nothing to do later for one that couldn't be opened and is out already.
		if (ledger.users > 0 || sharedLedgers().get(ledger.key) !== ledger) return;
		// Not a reason for the process to stay.
		ledger.idleTimer = setTimeout(() => void ledger.close(), this.options.idleMs).unref();
		this.makeRoom(null);
	}

	/** Close what was not used for longest. When all are in use there are too many for a while. */
	private makeRoom(except: SharedLedger | null): void {
		const ledgers = sharedLedgers();
		const idle = [...ledgers.values()]
			.filter((ledger) => ledger.users === 0 && ledger !== except)
			.sort((a, b) => a.lastUsedAt - b.lastUsedAt);
		for (const ledger of idle.slice(0, Math.max(0, ledgers.size - this.options.maxStores))) void ledger.close();
	}

	/** Remove a few expired records after an answer was had: nobody waits for it, and it can't fail a claim. */
	private purgeBehind(ledger: OwnLedger, store: LedgerStore): void {
		const { monotonicNow, purgeEveryMs, purgeAgainMs, purgeStep } = this.options;
		if (monotonicNow() < ledger.purgeAt) return;
		ledger.purgeAt = Infinity;
		// Counts as a user: the store isn't closed under it.
		ledger.users += 1;
		setImmediate(async () => {
			const gone = await store.purge(purgeStep).catch(() => 0);
			ledger.purgeAt = monotonicNow() + (gone >= purgeStep ? purgeAgainMs : purgeEveryMs);
			this.release(ledger);
		});
	}

	/** Names the settings without telling them: passwords and keys go into a keyed hash only. */
	private keyOf(settings: StoreSettings): string {
		this.secret ??= randomBytes(32);
		return `${settings.kind} ${createHmac('sha256', this.secret).update(canonical(settings)).digest('hex')}`;
	}
}

/** Equal text for equal settings, whatever the order of their fields. */
function canonical(settings: StoreSettings): string {
	return JSON.stringify(settings, (_name, value: unknown) =>
		typeof value === 'object' && value !== null && !Array.isArray(value)
			? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
			: value,
	);
}

const registry = new LedgerRegistry();

/**
 * Run commands on the ledger of these settings, shared by all nodes of the process.
 * @throws LedgerError of `openStore`; whatever `use` throws
 */
export async function withLedger<T>(settings: StoreSettings, use: (store: LedgerStore) => Promise<T>): Promise<T> {
	return registry.withLedger(settings, use);
}
