import type {
	ClaimCommand,
	ClaimHandle,
	ExtendCommand,
	KeyParts,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../ledger/core/commands';
import type { LedgerRecord, Owner } from '../../ledger/core/record';
import type { OutcomeWord } from '../../ledger/core/states';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

let serial = 0;
/** A number no other builder call of this process was given: keys and tokens of tests never meet. */
export const nextSerial = () => (serial += 1);
export const newToken = () => `token-${nextSerial()}`;

function partsOf({ key, operation, businessId, scope, version }: KeyParts): KeyParts {
	return { key, operation, businessId, scope, version };
}

/** The parts of a key nobody has used yet; the key follows from operation and business ID. */
export function newParts(changes: Partial<KeyParts> = {}): KeyParts {
	const operation = changes.operation ?? 'charge_card';
	const businessId = changes.businessId ?? `order-${nextSerial()}`;
	return { key: `${operation}:${businessId}`, operation, businessId, scope: null, version: null, ...changes };
}

export function anOwner(changes: Partial<Owner> = {}): Owner {
	return {
		instanceId: 'instance-1',
		workflowId: 'workflow-1',
		workflowName: 'Orders',
		executionId: 'execution-1',
		nodeName: 'Claim',
		...changes,
	};
}

/** A claim with the nodes' defaults: of a new key unless told, under a new token unless told. */
export function aClaim(changes: Partial<ClaimCommand> = {}): ClaimCommand {
	return {
		...newParts(changes),
		token: newToken(),
		leaseMs: 15 * 60 * SECOND,
		policy: 'review',
		maxAttempts: 5,
		retentionSeconds: 30 * 24 * 3600,
		fingerprint: null,
		fingerprintFields: null,
		correlationId: null,
		owner: anOwner(),
		ephemeral: false,
		...changes,
	};
}

/** The same operation claimed once more, by somebody else. */
export function another(claim: ClaimCommand, changes: Partial<ClaimCommand> = {}): ClaimCommand {
	return { ...claim, token: newToken(), owner: anOwner({ executionId: 'execution-2' }), ...changes };
}

export function handleOf(held: { key: string; token: string }, attempt = 1): ClaimHandle {
	return { key: held.key, token: held.token, attempt };
}

/** The outcome word of the claim's holder, for its first attempt unless told. */
export function aSeal(
	claim: KeyParts & { token: string; ephemeral: boolean },
	word: OutcomeWord = 'success',
	changes: Partial<SealCommand> = {},
): SealCommand {
	return {
		...partsOf(claim),
		token: claim.token,
		attempt: 1,
		word,
		result: null,
		externalId: null,
		error: word === 'success' ? null : { code: 'E1', httpStatus: 500, message: `it went wrong: ${word}` },
		retryDelayMs: 0,
		deadlineSeconds: null,
		rerun: false,
		ephemeral: claim.ephemeral,
		externalIdIsUnique: true,
		executionId: 'execution-1',
		...changes,
	};
}

export function anExtend(claim: { key: string; token: string }, changes: Partial<ExtendCommand> = {}): ExtendCommand {
	return { ...handleOf(claim), extendMs: HOUR, ...changes };
}

export function aRelease(claim: { key: string; token: string }, changes: Partial<ReleaseCommand> = {}): ReleaseCommand {
	return { ...handleOf(claim), rerun: false, executionId: 'execution-1', ...changes };
}

/** A person's decision on the record as they see it. */
export function aDecision(
	seen: Pick<LedgerRecord, 'key' | 'token' | 'revision'>,
	decision: ResolveCommand['decision'],
	changes: Partial<ResolveCommand> = {},
): ResolveCommand {
	return {
		key: seen.key,
		token: seen.token,
		revision: seen.revision,
		decision,
		force: false,
		who: 'ada',
		why: 'looked it up at the provider',
		result: null,
		externalId: null,
		acceptChangedPayload: false,
		executionId: null,
		...changes,
	};
}

/** A record as a first claim of an hour ago left it, with any field changed. */
export function aRecord(now: number, changes: Partial<LedgerRecord> = {}): LedgerRecord {
	const made = now - HOUR;
	return {
		...newParts(changes),
		revision: 3,
		state: 'processing',
		reason: null,
		token: newToken(),
		attempt: 1,
		maxAttempts: 5,
		policy: 'review',
		fingerprint: null,
		fingerprintFields: null,
		leaseExpiresAt: null,
		retryAt: null,
		deadlineAt: null,
		result: null,
		externalId: null,
		lateSuccesses: [],
		anomalies: [],
		unknownEarlier: false,
		sealedWord: null,
		decidedBy: null,
		lastError: null,
		correlationId: null,
		owner: anOwner(),
		counters: { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 },
		createdAt: made,
		updatedAt: made,
		completedAt: null,
		expiresAt: null,
		retentionSeconds: 30 * 24 * 3600,
		ephemeral: false,
		history: [
			{ at: made, from: null, to: 'processing', attempt: 1, executionId: 'execution-1', note: 'first', kept: null },
		],
		...changes,
	};
}

/** The record as if that many ms more had passed since everything it tells of. */
export function aged(record: LedgerRecord, ms: number): LedgerRecord {
	const back = (time: number) => time - ms;
	const maybe = (time: number | null) => (time === null ? null : back(time));
	const each = <Entry extends { at: number }>(list: Entry[]) => list.map((entry) => ({ ...entry, at: back(entry.at) }));
	return {
		...record,
		leaseExpiresAt: maybe(record.leaseExpiresAt),
		retryAt: maybe(record.retryAt),
		deadlineAt: maybe(record.deadlineAt),
		createdAt: back(record.createdAt),
		updatedAt: back(record.updatedAt),
		completedAt: maybe(record.completedAt),
		expiresAt: maybe(record.expiresAt),
		lateSuccesses: each(record.lateSuccesses),
		anomalies: each(record.anomalies),
		history: each(record.history),
		decidedBy: record.decidedBy && { ...record.decidedBy, at: back(record.decidedBy.at) },
		lastError: record.lastError && { ...record.lastError, at: back(record.lastError.at) },
	};
}
