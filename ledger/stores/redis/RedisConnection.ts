import { isNativeError } from 'node:util/types';

import { LedgerError } from '../../core/errors';
import type { LedgerErrorCode } from '../../core/errors';
import type { RedisSettings } from '../../core/settings';
import { call, onKey, sourceFirst } from './call';
import type { Call } from './call';
import { connect, pipelined } from './client';
import type { Client } from './client';
import { pause, within } from './deadline';
import { Keys } from './keys';
import { replyCode, toLedgerError } from './redisErrors';

/** Calls of one pipeline. Larger batches go in several, so that other clients get their turn. */
const PIPELINE_CALLS = 500;
const FIRST_BACK_OFF_MS = 50;
const LAST_BACK_OFF_MS = 2000;
/** After these the connection is of no use: frozen, lost, or to a server that is no primary any more. */
const ENDS_CONNECTION: LedgerErrorCode[] = ['TIMEOUT', 'UNREACHABLE', 'READ_ONLY', 'AUTHENTICATION_FAILED'];

/**
 * One connection (in a cluster: one to each node), made when the first command needs it and again
 * after it was lost. Every command either gets its answer in time or throws; nothing waits in a queue
 * for a server to come back, and nothing is sent again by itself.
 */
export class RedisConnection {
	readonly keys: Keys;
	private opening: Promise<Client> | null = null;
	private live: Client | null = null;
	private closed = false;
	private failures = 0;
	private nextTryAt = 0;

	constructor(readonly settings: RedisSettings) {
		this.keys = new Keys(settings.keyPrefix);
	}

	/** Calls that change nothing. @throws LedgerError for the first one that failed */
	async read(calls: Call[]): Promise<unknown[]> {
		return await this.send(calls, false);
	}

	/**
	 * Calls that may change something; those in `first` are done before any of the others. With Wait
	 * For Replicas, it answers only when enough of them have the writes.
	 * @throws LedgerError for the first call that failed; REPLICAS_SHORT
	 */
	async write(calls: Call[], first: Call[] = []): Promise<unknown[]> {
		if (first.length === 0) return await this.send(calls, true);
		if (this.settings.mode !== 'cluster') return (await this.send([...first, ...calls], true)).slice(first.length);
		await this.send(first, true); // other nodes: only an answer tells that they are done
		return await this.send(calls, true);
	}

	/** The driver's client, connected. @throws LedgerError within `connectTimeoutMs` */
	async open(): Promise<Client> {
		if (this.closed) throw closed();
		if (this.opening === null) {
			const opening = this.connect();
			this.opening = opening;
			opening.catch(() => {
				if (this.opening === opening) this.opening = null;
			});
		}
		return await this.opening;
	}

	async close(): Promise<void> {
		this.closed = true;
		this.live?.disconnect();
		const client = await this.opening?.catch(() => null);
		client?.disconnect();
		this.opening = this.live = null;
	}

	/** All commands share the promise: one attempt at a time, and no sooner than the back-off allows. */
	private async connect(): Promise<Client> {
		const wait = Math.min(this.nextTryAt - Date.now(), this.settings.connectTimeoutMs / 2);
		if (wait > 0) await pause(wait);
		try {
			const client = await connect(this.settings, this.keys, (gone) => this.drop(gone));
			this.live = client;
			this.failures = 0;
			return client;
		} catch (error) {
			const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** this.failures++, LAST_BACK_OFF_MS);
			this.nextTryAt = Date.now() + backOff * (0.5 + Math.random() / 2);
			throw toLedgerError(error);
		}
	}

	/** Every command that was under way finds out by itself: only the first one gets here. */
	private drop(client: Client): void {
		if (this.live !== client) return;
		this.opening = this.live = null;
		client.disconnect();
	}

	private async send(calls: Call[], writes: boolean): Promise<unknown[]> {
		if (calls.length === 0) return [];
		const client = await this.open();
		const replies = new Array<unknown>(calls.length);
		const one = async (places: number[]) => {
			for (let from = 0; from < places.length; from += PIPELINE_CALLS) {
				const part = places.slice(from, from + PIPELINE_CALLS);
				const answers = await this.exchange(client, part.map((place) => calls[place]), writes);
				part.forEach((place, i) => (replies[place] = answers[i]));
			}
		};
		await Promise.all(this.together(calls).map(one));
		return replies;
	}

	/** Places of the calls that can share a pipeline: in a cluster, those of one shard. */
	private together(calls: Call[]): number[][] {
		if (this.settings.mode !== 'cluster') return [calls.map((_each, place) => place)];
		const groups = new Map<string, number[]>();
		calls.forEach(({ key }, place) => {
			const tag = key.slice(0, key.indexOf('}'));
			groups.set(tag, [...(groups.get(tag) ?? []), place]);
		});
		return [...groups.values()];
	}

	private async exchange(client: Client, calls: Call[], writes: boolean): Promise<unknown[]> {
		// Two calls for one key have an order. With the script in front none of them can be refused for
		// want of it (NOSCRIPT) and come after the other.
		const keys = calls.filter(({ script }) => script).map(({ key }) => key);
		const ordered = new Set(keys).size < keys.length ? sourceFirst(calls) : calls;
		const replies = await this.roundTrip(client, ordered, writes);
		const refused = [...replies.keys()].filter((i) => isNoScript(replies[i]));
		if (refused.length > 0) {
			const again = await this.roundTrip(client, sourceFirst(refused.map((i) => calls[i])), writes);
			refused.forEach((place, i) => (replies[place] = again[i]));
		}
		const failed = replies.find(isNativeError);
		if (failed) throw this.failure(client, failed);
		return replies;
	}

	/** One pipeline, there and back. Error replies are among the replies. */
	private async roundTrip(client: Client, calls: Call[], writes: boolean): Promise<unknown[]> {
		const { commandTimeoutMs, mode, waitForReplicas } = this.settings;
		// A replica runs what turns out not to write, and answers from old data. So each pipeline begins
		// with a write that changes nothing. (In a cluster a replica redirects.)
		const before = mode === 'cluster' ? [] : [onKey('del', this.keys.probe())];
		// On the same connection: WAIT is about the writes of its own connection. It blocks, so it has to
		// give up well before the command's time-out.
		const after =
			writes && waitForReplicas > 0
				? [call(calls[0].key, 'wait', waitForReplicas, Math.max(1, Math.floor(commandTimeoutMs / 2)))]
				: [];
		let replies: unknown[];
		try {
			replies = await within(
				commandTimeoutMs,
				pipelined(client, [...before, ...calls, ...after]),
				() => new LedgerError('TIMEOUT', `Redis did not answer within ${commandTimeoutMs} ms`),
			);
		} catch (error) {
			throw this.failure(client, error);
		}
		const probed = before.length > 0 && isNativeError(replies[0]) ? toLedgerError(replies[0]) : null;
		if (probed?.code === 'READ_ONLY') throw this.failure(client, probed);
		const answers = replies.slice(before.length, before.length + calls.length);
		const failed = answers.some(isNativeError);
		if (after.length > 0 && !failed) checkReplicas(replies[replies.length - 1], waitForReplicas);
		return answers;
	}

	private failure(client: Client, error: unknown): LedgerError {
		const failed = this.settings.mode === 'cluster' && isMoved(error) ? rearranged() : toLedgerError(error);
		if (ENDS_CONNECTION.includes(failed.code)) this.drop(client);
		return this.closed && failed.code === 'UNREACHABLE' ? closed() : failed;
	}
}

function isNoScript(reply: unknown): boolean {
	return isNativeError(reply) && reply.message.startsWith('NOSCRIPT');
}

/** In a cluster the driver follows these; one that is left over means that a node is gone, or on the move. */
function isMoved(error: unknown): boolean {
	return isNativeError(error) && replyCode(error.message) === 'MOVED';
}

function rearranged(): LedgerError {
	return new LedgerError('UNREACHABLE', 'The Redis Cluster is being rearranged, or a node of it is gone');
}

function checkReplicas(reply: unknown, wanted: number): void {
	if (isNativeError(reply)) throw toLedgerError(reply);
	if (Number(reply) >= wanted) return;
	throw new LedgerError('REPLICAS_SHORT', `The write reached ${Number(reply)} of the ${wanted} replicas that must have it`);
}

function closed(): LedgerError {
	return new LedgerError('CLOSED', 'The ledger was closed');
}
