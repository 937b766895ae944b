import type { Answer, ClaimCommand } from '../../ledger/core/commands';
import type { HistoryEntry, LedgerRecord } from '../../ledger/core/record';
import type { Attempt, Setting, World } from './world';

/** A guarantee that doesn't hold, in one sentence that starts with its name. */
export class Violation extends Error {}

function must(holds: boolean, guarantee: string): void {
	if (!holds) throw new Violation(guarantee);
}

const open = (world: World) => world.attempts.filter(({ excused }) => !excused);

/** What has to be true in every state of the world. */
export function checkWorld(world: World, setting: Setting): void {
	const { record } = world;
	must(world.workers.filter(({ alive }) => alive).length <= 1, 'G1: two workers hold live claims of one key');
	if (setting.counted) must(world.slack >= 0, 'G3: more effects than anybody allowed');
	const successes = open(world).filter(({ status }) => status === 'success');
	if (record === null) {
		must(open(world).length === 0, 'G7: the record vanished while an outcome was unsettled');
		return;
	}
	if (record.state !== 'succeeded' && record.state !== 'permanent_failed') {
		must(record.expiresAt === null, 'G7: an unsettled record would expire');
	}
	must(record.attempt <= record.maxAttempts || record.reason === 'orphan_success', 'more attempts than allowed');
	if (record.state === 'permanent_failed') must(open(world).length === 0, 'G7: called failed, and would be forgotten, while an outcome is not known to be failure');
	if (successes.length > 0) checkSuccesses(record, successes);
}

/** No success word is ever lost, and two different ones are never taken for one. */
function checkSuccesses(record: LedgerRecord, successes: Attempt[]): void {
	const late = record.lateSuccesses.length > 0;
	must(record.state === 'succeeded' || record.sealedWord === 'success' || late, 'G7: a success word was lost');
	must(record.state !== 'permanent_failed' && record.state !== 'retryable_failed', 'G7: called failed although a success is known');
	const ids = [...new Set(successes.flatMap((attempt) => attempt.ids))];
	const places = [
		record.externalId,
		...record.lateSuccesses.map(({ externalId }) => externalId),
		...record.anomalies.map(({ externalId }) => externalId),
	];
	for (const id of ids) must(places.includes(id), 'G7: the external ID of a success was lost');
	if (record.state === 'succeeded' && ids.length > 1) must(record.anomalies.length > 0, 'the effect happened twice, and the ledger does not say so');
}

/** The claim was answered; `before` as it was, with the attempts granted before. */
export function checkClaim(world: World, command: ClaimCommand, answer: Answer<string>): void {
	const before = world.record;
	const claimed = answer.outcome === 'claimed';
	const own = before?.state === 'processing' && before.token === command.token;
	if (before?.fingerprint && before.fingerprint !== command.fingerprint) {
		must(answer.outcome === 'conflict', 'G6: another payload was not called a conflict');
		must(answer.record?.revision === before.revision, 'G6: another payload changed the record');
		return;
	}
	if (before?.state === 'processing' && !own && world.workers.some(({ alive }) => alive)) {
		must(answer.record?.token === before.token && answer.record.state === 'processing', 'G1: a claim ended a lease that was alive');
	}
	if (before?.state === 'succeeded') {
		must(answer.outcome === 'succeeded' && answer.record?.state === 'succeeded', 'G2: a success was not replayed');
	}
	if (before?.state === 'retryable_failed' && before.token === command.token) {
		must(!claimed, 'a run that ended its attempt was given the next one');
	}
	if (own && before.lateSuccesses.length === 0) must(claimed, 'a claim whose answer was lost is not given back to its own run');
	if (claimed) {
		must(before === null || before.state === 'processing' || before.state === 'retryable_failed', `claimed from ${before?.state}`);
		checkNoKnownSuccess(world);
		if (!own) checkGrant(world, command);
	}
}

/** Nobody goes on as if an attempt that is known to have succeeded hadn't. */
export function checkNoKnownSuccess(world: World): void {
	must(!open(world).some(({ status }) => status === 'success'), 'G3: somebody may go on although a success is known');
}

/** A new attempt begins: every earlier one is known to have failed, or a person, or both policies, allow it. */
function checkGrant(world: World, command: ClaimCommand): void {
	for (const { status, policy } of open(world)) {
		must(status !== 'unknown', 'G3: a second effect may start although an attempt said that its outcome is unknown');
		must(policy === 'take_over' && command.policy === 'take_over', 'G3: a second effect may start while an earlier outcome is unknown');
	}
}

/** A seal by somebody who doesn't hold the record decides nothing. */
export function checkStale(before: LedgerRecord, answer: Answer<string>): void {
	const after = answer.record;
	must(answer.outcome === 'stale', 'G4: a stale seal was not called stale');
	must(after !== null, 'G4: a stale seal removed the record');
	const same = after!.state === before.state;
	must(same || after!.state === 'needs_review', 'G4: a stale seal changed the state to its word');
	for (const field of ['token', 'attempt', 'result', 'externalId', 'sealedWord', 'fingerprint'] as const) {
		must(after![field] === before[field], `G4: a stale seal changed ${field}`);
	}
	if (same) must(after!.leaseExpiresAt === before.leaseExpiresAt, 'G4: a stale seal changed the lease');
}

/** Nobody holds what a sweep moves, and it leaves what a later claim may go on with. */
export function checkSweep(world: World, answer: Answer<string>): void {
	if (answer.outcome !== 'expired') return;
	const { record, workers } = world;
	must(!workers.some(({ alive }) => alive), 'G1: a sweep ended a lease that was alive');
	const late = (record?.lateSuccesses.length ?? 0) > 0;
	must(late || record?.policy !== 'take_over' || record.attempt >= record.maxAttempts, 'a sweep took the next claim its take-over');
}

/** A person's decision: never on something they haven't seen, and what it clears goes into the history. */
export function checkResolve(world: World, force: boolean, answer: Answer<string>): void {
	const before = world.record;
	if (answer.outcome !== 'resolved') return;
	must(!world.view!.outdated, 'a decision was applied to what the person had not looked at');
	if (force) return;
	must(before?.state !== 'succeeded' || answer.record?.state === 'succeeded', 'G2: a success was reopened without force');
	// A holder may be alive although its record is in review: a late success was told, and a copy of its claim came.
	const alive = before?.state === 'processing' && world.workers.some((worker) => worker.alive);
	must(!alive, 'G1: decided over a live claim without force');
}

export function checkKept(world: World, entry: HistoryEntry | undefined, after: LedgerRecord | null): void {
	const kept = JSON.stringify([entry?.kept, after?.externalId, after?.lateSuccesses]);
	for (const id of open(world).flatMap(({ ids }) => ids)) must(kept.includes(`"${id}"`), 'G7: a decision lost a success');
}
