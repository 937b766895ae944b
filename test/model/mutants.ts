import type { Answer, ClaimCommand, ResolveCommand, SealCommand } from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import { NOW, LATER, OVER, SPECIFICATION as spec } from './world';
import type { Rules } from './world';

/** The specification with one rule taken out. The model has to notice: otherwise it guards nothing. */
export interface Mutant {
	rule: string;
	rules: Rules;
}

export const MUTANTS: Mutant[] = [];
const without = (rule: string, changed: Partial<Rules>) => void MUTANTS.push({ rule, rules: { ...spec, ...changed } });

type Stored = LedgerRecord | null;
const seen = (record: Stored, changes: Partial<LedgerRecord>): Stored => record && { ...record, ...changes };
const holds = (record: LedgerRecord, command: { token: string; attempt: number }) => record.token === command.token && record.attempt === command.attempt;
const left = (answer: Answer<string>, changes: Partial<LedgerRecord>): Answer<string> => ({ ...answer, record: seen(answer.record, changes) });
const unchanged = (answer: Answer<string>, record: Stored): Answer<string> => ({ ...answer, record });
const unknownWord = (word: string) => word === 'unknown' || word === 'unknown_retryable';

/** Claim as decided, but for records and commands that are seen through a wrong glass. */
function claiming(rule: string, look: (record: LedgerRecord, command: ClaimCommand) => Partial<LedgerRecord>, keep: Array<keyof LedgerRecord> = []): void {
	without(rule, {
		claim: (record, command, now) => {
			const answer = spec.claim(record && { ...record, ...look(record, command) }, command, now);
			const back = Object.fromEntries(keep.map((field) => [field, record?.[field]])) as Partial<LedgerRecord>;
			return record === null ? answer : left(answer, back);
		},
	});
}

// Claim
claiming('a lease that is alive turns others away', () => ({ leaseExpiresAt: OVER }));
claiming('the stored policy has to allow a take-over', (_record, { policy }) => ({ policy }));
without('the arriving policy has to allow a take-over', {
	claim: (record, command, now) => spec.claim(record, { ...command, policy: record?.policy ?? command.policy }, now),
});
claiming('attempts have to be left for a take-over', (record) => ({ maxAttempts: record.maxAttempts + 9 }), ['maxAttempts']);
without('a take-over remembers that an outcome is unknown', {
	claim: (record, command, now) => {
		const answer = spec.claim(record, command, now);
		return answer.detail === 'takeover' ? left(answer, { unknownEarlier: record!.unknownEarlier }) : answer;
	},
});
claiming('a retry with an unknown earlier outcome needs both policies', (record) => (record.state === 'retryable_failed' ? { unknownEarlier: false } : {}));
claiming('after a late success nobody claims the lease that ran out', (record, { token }) => (record.token === token ? {} : { lateSuccesses: [] }), ['lateSuccesses']);
claiming('after a late success the holder does not claim again', (record, { token }) => (record.token === token ? { lateSuccesses: [] } : {}), ['lateSuccesses']);
claiming('the holder whose answer was lost gets its claim back', (record, { token }) => (record.token === token ? { token: 'nobody' } : {}), ['token']);
claiming('a spent token is not given the next attempt', (record, { token }) => (record.state === 'retryable_failed' && record.token === token ? { token: 'nobody' } : {}));
claiming('the payload is compared', (_record, { fingerprint, fingerprintFields }) => ({ fingerprint, fingerprintFields }));
claiming('a success is replayed', (record) => (record.state === 'succeeded' ? { state: 'retryable_failed', retryAt: OVER } : {}));
claiming('what failed for good is not claimed', (record) => (record.state === 'permanent_failed' ? { state: 'retryable_failed', retryAt: OVER } : {}));
claiming('what is in review is not claimed', (record) => (record.state === 'needs_review' ? { state: 'retryable_failed', retryAt: OVER } : {}));
without('the arriving policy is stored', {
	claim: (record, command, now) => {
		const answer = spec.claim(record, command, now);
		return answer.outcome === 'claimed' && record ? left(answer, { policy: record.policy }) : answer;
	},
});

// Seal by who doesn't hold
function stale(rule: string, decide: (record: LedgerRecord, command: SealCommand, answer: Answer<string>) => Answer<string>): void {
	without(rule, {
		seal: (record, command, now) => {
			const answer = spec.seal(record, command, now);
			return record === null || holds(record, command) ? answer : decide(record, command, answer);
		},
	});
}
without('token and attempt are compared at seal', {
	seal: (record, command, now) => spec.seal(record, { ...command, token: record?.token ?? '', attempt: record?.attempt ?? 1 }, now),
});
without('the attempt is compared at seal', {
	seal: (record, command, now) => spec.seal(record, { ...command, attempt: record?.attempt ?? 1 }, now),
});
stale('a late success is kept', (record, _command, answer) => unchanged(answer, record));
stale('a late success turns what failed over to review', (record, { word }, answer) =>
	word === 'success' && answer.record!.state !== record.state ? left(answer, { state: record.state, reason: record.reason, retryAt: record.retryAt, expiresAt: record.expiresAt }) : answer,
);
stale('what a late success turns over to review does not expire', (record, { word }, answer) => (word === 'success' ? left(answer, { expiresAt: record.expiresAt }) : answer));
stale('a late unknown takes the policy back', (record, { word }, answer) => (unknownWord(word) ? left(answer, { policy: record.policy }) : answer));
stale('a late unknown is remembered', (record, { word }, answer) => (unknownWord(word) ? unchanged(answer, record) : answer));
stale('a late unknown turns what failed for good over to review', (record, { word }, answer) => (unknownWord(word) && record.state === 'permanent_failed' ? unchanged(answer, record) : answer));
stale('a late success with another ID is an anomaly', (record, { word }, answer) => (word === 'success' ? left(answer, { anomalies: record.anomalies }) : answer));
without('a success without a record is kept', {
	seal: (record, command, now) => unchanged(spec.seal(record, command, now), record && spec.seal(record, command, now).record),
});

// Seal by the holder
function holding(rule: string, decide: (record: LedgerRecord, command: SealCommand) => Answer<string> | null): void {
	without(rule, {
		seal: (record, command, now) => (record && holds(record, command) ? decide(record, command) : null) ?? spec.seal(record, command, now),
	});
}
const failure = (word: string) => word !== 'success';
const stays = (record: LedgerRecord): Answer<string> => ({ outcome: 'already_sealed', detail: null, record, at: NOW });

holding('N instead of F while an earlier outcome is unknown', (record, command) => (command.word === 'permanent' || command.word === 'retryable' ? spec.seal({ ...record, unknownEarlier: false }, command, NOW) : null));
holding('an unknown outcome taken as retryable is remembered', (record, command) => {
	const answer = spec.seal(record, command, NOW);
	return command.word === 'unknown_retryable' ? left(answer, { unknownEarlier: record.unknownEarlier }) : null;
});
holding('… before the last attempt is called failed', (record, command) =>
	command.word === 'unknown_retryable' && record.attempt >= record.maxAttempts && !record.unknownEarlier ? spec.seal(record, { ...command, word: 'retryable' }, NOW) : null,
);
holding('a failure from a Retry of n8n is not believed', (record, command) => spec.seal(record, { ...command, rerun: false }, NOW));
holding('an unknown outcome is not retried', (record, command) => (command.word === 'unknown' ? spec.seal(record, { ...command, word: 'retryable' }, NOW) : null));
holding('after the holder\'s unknown only success is news', (record, command) => (record.reason === 'unknown' && failure(command.word) ? spec.seal({ ...record, reason: 'lease_expired' }, command, NOW) : null));
holding('after a late success any word but success goes to review', (record, command) => (failure(command.word) ? left(spec.seal({ ...record, lateSuccesses: [] }, command, NOW), { lateSuccesses: record.lateSuccesses }) : null));
holding('a success after the holder\'s own failure is kept', (record, command) => (command.word === 'success' && ['retryable_failed', 'permanent_failed'].includes(record.state) && !record.decidedBy ? stays(record) : null));
holding('an unknown after the holder\'s own failure goes to review', (record, command) => (unknownWord(command.word) && ['retryable_failed', 'permanent_failed'].includes(record.state) && !record.decidedBy ? stays(record) : null));
holding('a success after a decision to retry settles it', (record, command) => (command.word === 'success' && record.state === 'retryable_failed' && record.decidedBy ? stays(record) : null));
holding('a success after a decision that it failed is a contradiction', (record, command) => (command.word === 'success' && record.state === 'permanent_failed' && record.decidedBy ? stays(record) : null));
holding('the first unknown after a decision goes to review', (record, command) => (unknownWord(command.word) && record.decidedBy ? stays(record) : null));
holding('a second success with another ID is an anomaly', (record, command) => (command.word === 'success' && record.state === 'succeeded' ? { outcome: 'sealed', detail: 'again', record, at: NOW } : null));
holding('a success beside a late one with another ID is an anomaly', (record, command) => (command.word === 'success' && record.state === 'processing' ? left(spec.seal(record, command, NOW), { anomalies: record.anomalies }) : null));
holding('a success that can\'t settle a record is kept on it', (record, command) => (command.word === 'success' && record.state === 'needs_review' && !['unknown', 'lease_expired'].includes(record.reason!) ? stays(record) : null));
holding('a record in review does not expire', (record, command) => {
	const answer = spec.seal(record, command, NOW);
	return answer.record?.state === 'needs_review' && record.state === 'permanent_failed' ? left(answer, { expiresAt: record.expiresAt }) : null;
});

// Extend and release
without('after a late success nothing is extended', {
	extend: (record, command, now) => left(spec.extend(seen(record, { lateSuccesses: [] }), command, now), { lateSuccesses: record?.lateSuccesses }),
});
without('after a late success nothing is released', {
	release: (record, command, now) => left(spec.release(seen(record, { lateSuccesses: [] }), command, now), { lateSuccesses: record?.lateSuccesses }),
});
without('a release from a Retry of n8n is not believed', {
	release: (record, command, now) => spec.release(record, { ...command, rerun: false }, now),
});
without('only the holder releases', {
	release: (record, command, now) => spec.release(record, { ...command, token: record?.token ?? '', attempt: record?.attempt ?? 1 }, now),
});
without('only the first attempt leaves no trace', {
	release: (record, command, now) => {
		const answer = spec.release(record, command, now);
		return answer.outcome === 'released' ? unchanged(answer, null) : answer;
	},
});
without('a release leaves one more attempt', {
	release: (record, command, now) => left(spec.release(record, command, now), { maxAttempts: record?.maxAttempts }),
});

// Expire
without('a sweep leaves a lease that is alive', { expire: (record, command, now) => spec.expire(seen(record, { leaseExpiresAt: OVER }), command, now) });
without('a sweep leaves what may be taken over', { expire: (record, command, now) => spec.expire(seen(record, { policy: 'review' }), command, now) });
without('a sweep keeps late successes', { expire: (record, command, now) => (record?.state === 'processing' ? left(spec.expire(record, command, now), { lateSuccesses: [] }) : spec.expire(record, command, now)) });

// Resolve
const decide = (change: (record: Stored, command: ResolveCommand) => [Stored, ResolveCommand]) => ({
	resolve: (record: Stored, command: ResolveCommand, now: number) => spec.resolve(...change(record, command), now),
});
without('a decision names the revision', decide((record, command) => [record, { ...command, revision: record?.revision ?? 1 }]));
without('a decision names the token', decide((record, command) => [record, { ...command, token: record?.token ?? '' }]));
without('a claim that is alive is not decided over', decide((record, command) => [seen(record, record?.state === 'processing' ? { leaseExpiresAt: OVER } : {}), command]));
without('a success is not reopened without force', decide((record, command) => [record, { ...command, force: command.force || record?.state === 'succeeded' }]));
without('a decision to retry leaves one more attempt', {
	resolve: (record, command, now) => left(spec.resolve(record, command, now), { maxAttempts: record?.maxAttempts }),
});
without('what a decision clears goes into the history', {
	resolve: (record, command, now) => {
		const answer = spec.resolve(record, command, now);
		const history = answer.record?.history.map((entry) => ({ ...entry, kept: null }));
		return answer.record === null ? answer : left(answer, { history });
	},
});
without('a decision to retry forgets its expiry', {
	resolve: (record, command, now) => {
		const answer = spec.resolve(record, command, now);
		return answer.outcome === 'resolved' && command.decision === 'retry' ? left(answer, { expiresAt: record!.expiresAt ?? LATER }) : answer;
	},
});
