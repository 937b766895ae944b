import { guardedClaim } from '../../ledger/core/claimGuard';
import type { GuardedAnswer } from '../../ledger/core/claimGuard';
import type { ClaimCommand } from '../../ledger/core/commands';
import { LedgerError } from '../../ledger/core/errors';
import type { LedgerStore } from '../../ledger/core/store';

export type Ledger = <Value>(use: (store: LedgerStore) => Promise<Value>) => Promise<Value>;

export interface ClaimRequest {
	itemIndex: number;
	command: ClaimCommand;
	/** how long to wait while somebody else holds the claim */
	waitMs: number;
}

export interface ClaimResult<Request extends ClaimRequest = ClaimRequest> {
	request: Request;
	guarded: GuardedAnswer;
	/** the item of this batch that holds the claim; the other one can't wait for it */
	heldByItem?: number;
	/** monotonic ms */
	receivedAt: number;
	/** monotonic ms until which it's worth looking again */
	deadline: number;
}

/** Seal's retryInMs leaves a margin, and so may the Wait node: what is left of a retry delay is sat out here. */
const RETRY_REMAINDER_MS = 2_000;
const FIRST_LOOK_MS = 200;
const SLOWEST_LOOK_MS = 2_000;
/** Claims older than this when the waiting is over get their lease renewed before they are given out. */
const FRESH_MS = 500;

/** The claims of one run of the node: made in one round trip, looked at again while something is in progress. */
export class ClaimBatch<Request extends ClaimRequest> {
	readonly results: Array<ClaimResult<Request>> = [];
	private readonly itemsByToken: ReadonlyMap<string, number>;

	constructor(
		private readonly ledger: Ledger,
		private readonly requests: Request[],
	) {
		this.itemsByToken = new Map(requests.map(({ command, itemIndex }) => [command.token, itemIndex]));
	}

	/** @throws LedgerError of the store: then no item was claimed as far as anybody may know */
	async claim(): Promise<void> {
		const answers = await this.guarded(this.requests);
		const receivedAt = performance.now();
		answers.forEach((guarded, index) => {
			const request = this.requests[index];
			const result: ClaimResult<Request> = { request, guarded, receivedAt, deadline: receivedAt + request.waitMs };
			this.noteHolder(result);
			const remainder = retryRemainder(result);
			if (remainder !== null && remainder <= RETRY_REMAINDER_MS) {
				result.deadline = Math.max(result.deadline, receivedAt + remainder + FIRST_LOOK_MS);
			}
			this.results.push(result);
		});
	}

	/**
	 * Wait for what is in progress, as long as each item may. No connection is held meanwhile.
	 * @throws LedgerError CLOSED when the execution was cancelled, or of the store
	 */
	async waitWhileInProgress(signal: AbortSignal | undefined): Promise<void> {
		let pace = FIRST_LOOK_MS;
		let waiting = this.worthWaitingFor();
		while (waiting.length > 0) {
			await sleep(Math.max(10, Math.min(...waiting.map((result) => untilNextLook(result, pace)))), signal);
			pace = Math.min(pace * 1.5, SLOWEST_LOOK_MS);
			await this.claimAgain(await this.decidable(waiting));
			waiting = this.worthWaitingFor();
		}
	}

	/**
	 * Renew the leases that ran while the batch waited: no claim is given out with less than it was made for.
	 * @throws LedgerError of the store
	 */
	async renew(): Promise<void> {
		const now = performance.now();
		await this.claimAgain(this.claimed().filter(({ receivedAt }) => now - receivedAt > FRESH_MS));
	}

	/** Give claims back whose effect will certainly not be attempted. Best effort: the lease ends them anyway. */
	async giveBack(results: Array<ClaimResult<Request>>): Promise<void> {
		const commands = results
			.filter(({ guarded }) => guarded.answer.outcome === 'claimed')
			.map(({ request: { command }, guarded }) => ({
				key: command.key,
				token: command.token,
				attempt: guarded.answer.record!.attempt,
				rerun: false,
				executionId: command.owner.executionId,
			}));
		if (commands.length === 0) return;
		await this.ledger((store) => store.release(commands)).catch(() => undefined);
	}

	claimed(): Array<ClaimResult<Request>> {
		return this.results.filter(({ guarded }) => guarded.released && guarded.answer.outcome === 'claimed');
	}

	worthWaitingFor(): Array<ClaimResult<Request>> {
		const now = performance.now();
		return this.results.filter(
			({ guarded, heldByItem, deadline }) =>
				guarded.answer.outcome === 'in_progress' && heldByItem === undefined && deadline > now,
		);
	}

	/** Read, without counting a duplicate for every look, which of them a claim would now answer differently. */
	private async decidable(waiting: Array<ClaimResult<Request>>): Promise<Array<ClaimResult<Request>>> {
		const keys = waiting.map(({ request }) => request.command.key);
		const { records, at } = await this.ledger((store) => store.get(keys));
		const receivedAt = performance.now();
		return waiting.filter((result, index) => {
			const record = records[index];
			if (record?.state === 'processing' && at < (record.leaseExpiresAt ?? 0)) return this.still(result, record, at, receivedAt);
			if (record?.state === 'retryable_failed' && at < (record.retryAt ?? 0)) return this.still(result, record, at, receivedAt);
			return true;
		});
	}

	private still(
		result: ClaimResult<Request>,
		record: NonNullable<GuardedAnswer['answer']['record']>,
		at: number,
		receivedAt: number,
	): false {
		result.guarded = { released: true, answer: { outcome: 'in_progress', detail: null, record, at } };
		result.receivedAt = receivedAt;
		return false;
	}

	private async claimAgain(results: Array<ClaimResult<Request>>): Promise<void> {
		if (results.length === 0) return;
		const answers = await this.guarded(results.map(({ request }) => request));
		const receivedAt = performance.now();
		results.forEach((result, index) => {
			const guarded = answers[index];
			// A renewed claim is what it was: a first one, a retry, a take-over.
			if (guarded.answer.detail === 'own') guarded.answer.detail = result.guarded.answer.detail;
			result.guarded = guarded;
			result.receivedAt = receivedAt;
			this.noteHolder(result);
		});
	}

	/** Also after waiting: of two items that waited for one key the first got it, and can't end while the second waits. */
	private noteHolder(result: ClaimResult<Request>): void {
		const { record, outcome } = result.guarded.answer;
		const held = outcome === 'in_progress' && record?.state === 'processing';
		result.heldByItem = held ? this.itemsByToken.get(record.token) : undefined;
	}

	private async guarded(requests: Request[]): Promise<GuardedAnswer[]> {
		return await this.ledger((store) =>
			guardedClaim(
				store,
				requests.map(({ command }) => command),
			),
		);
	}
}

/** Time until the retry is due, by the ledger's clock and what went by here; null when it isn't a retry. */
function retryRemainder({ guarded: { answer }, receivedAt }: ClaimResult): number | null {
	if (answer.outcome !== 'in_progress' || answer.record?.state !== 'retryable_failed') return null;
	return (answer.record.retryAt ?? answer.at) - answer.at - (performance.now() - receivedAt);
}

function untilNextLook(result: ClaimResult, pace: number): number {
	const { answer } = result.guarded;
	const leaseRemainder = (answer.record?.leaseExpiresAt ?? Infinity) - answer.at - (performance.now() - result.receivedAt);
	const change = retryRemainder(result) ?? leaseRemainder;
	return Math.min(pace, Math.max(0, change), result.deadline - performance.now());
}

/** @throws LedgerError CLOSED as soon as the execution is cancelled */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const cancelled = () => {
			clearTimeout(timer);
			reject(new LedgerError('CLOSED', 'The execution was cancelled while this node waited for a claim in progress'));
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', cancelled);
			resolve();
		}, ms);
		if (signal?.aborted) cancelled();
		else signal?.addEventListener('abort', cancelled, { once: true });
	});
}
