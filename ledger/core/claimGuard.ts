import type { Answer, ClaimCommand, ClaimOutcome } from './commands';
import { LedgerError } from './errors';
import type { LedgerStore } from './store';

/**
 * A claim's answer as it may be acted on. `too_late`: the ledger granted the claim, but its lease had
 * run out before the answer came, so somebody else may hold it now; it must not reach Claimed.
 */
export type GuardedAnswer =
	| { released: true; answer: Answer<ClaimOutcome> }
	| { released: false; error: LedgerError; answer: Answer<ClaimOutcome> };

/**
 * Claim, and hold back every claim whose lease is over by the time the answer is here.
 *
 * Time is measured on this side, on a clock that nobody sets, from before sending: the store granted
 * the lease later than that, so what is left of it is never overestimated. The two machines' clocks
 * are never compared; of the store's, only the length of the lease is taken (`leaseExpiresAt - at`).
 *
 * @param monotonicNow ms of a clock that only goes forward
 * @throws LedgerError of the store; UNEXPECTED when it answers another number of commands
 */
export async function guardedClaim(
	store: Pick<LedgerStore, 'claim'>,
	commands: ClaimCommand[],
	monotonicNow: () => number = () => performance.now(),
): Promise<GuardedAnswer[]> {
	const sentAt = monotonicNow();
	const answers = await store.claim(commands);
	const elapsedMs = monotonicNow() - sentAt;
	if (answers.length !== commands.length) {
		throw new LedgerError('UNEXPECTED', `The ledger answered ${answers.length} of ${commands.length} claims`);
	}
	return answers.map((answer) => guarded(answer, elapsedMs));
}

function guarded(answer: Answer<ClaimOutcome>, elapsedMs: number): GuardedAnswer {
	if (answer.outcome !== 'claimed') return { released: true, answer };
	// A claim without a lease isn't one: what can't be compared isn't released either.
	const leaseMs = (answer.record?.leaseExpiresAt ?? answer.at) - answer.at;
	if (leaseMs > elapsedMs) return { released: true, answer };
	const message = `The ledger's answer took ${Math.round(elapsedMs)} ms, and the lease of ${leaseMs} ms was over by then`;
	return { released: false, error: new LedgerError('ANSWER_TOO_LATE', message), answer };
}
