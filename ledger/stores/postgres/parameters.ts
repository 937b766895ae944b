import type {
	ClaimCommand,
	ExtendCommand,
	ReleaseCommand,
	ResolveCommand,
	SealCommand,
} from '../../core/commands';
import type { Json, Owner, StoredError } from '../../core/record';
import { mapStrings, toStorable } from './text';

/**
 * The commands of one wave as the arrays that a statement unnests: one array per parameter, in the
 * order of the header of its .sql file.
 */
export type Columns = unknown[][];

/** Longer than any real lease or delay (3,100 years), and every sum with it is still a date. */
const LONGEST_MS = 1e14;

const duration = (ms: number): number => Math.min(Math.round(ms), LONGEST_MS);
const seconds = (value: number): number => Math.min(Math.round(value), LONGEST_MS / 1000);
const json = (value: Json | Owner | StoredError): string => JSON.stringify(value);
/** No result and the result null are the same thing. */
const resultJson = (value: Json): string | null => (value === null ? null : json(value));

function column<Command, Value>(commands: Command[], pick: (command: Command) => Value): Value[] {
	return commands.map(pick);
}

export function claimColumns(commands: ClaimCommand[]): Columns {
	return [
		column(commands, (one) => toStorable(one.key)),
		column(commands, (one) => toStorable(one.operation)),
		column(commands, (one) => toStorable(one.businessId)),
		column(commands, (one) => toStorable(one.scope)),
		column(commands, (one) => toStorable(one.version)),
		column(commands, (one) => toStorable(one.token)),
		column(commands, (one) => duration(one.leaseMs)),
		column(commands, (one) => one.policy),
		column(commands, (one) => one.maxAttempts),
		column(commands, (one) => seconds(one.retentionSeconds)),
		column(commands, (one) => toStorable(one.fingerprint)),
		column(commands, (one) => toStorable(one.fingerprintFields)),
		column(commands, (one) => toStorable(one.correlationId)),
		column(commands, (one) => json(mapStrings(one.owner, toStorable))),
		column(commands, (one) => one.ephemeral),
	];
}

export function sealColumns(commands: SealCommand[]): Columns {
	return [
		column(commands, (one) => toStorable(one.key)),
		column(commands, (one) => toStorable(one.token)),
		column(commands, (one) => one.attempt),
		column(commands, (one) => toStorable(one.operation)),
		column(commands, (one) => toStorable(one.businessId)),
		column(commands, (one) => toStorable(one.scope)),
		column(commands, (one) => toStorable(one.version)),
		column(commands, (one) => one.word),
		column(commands, (one) => resultJson(one.result)),
		column(commands, (one) => toStorable(one.externalId)),
		column(commands, (one) => (one.error === null ? null : json(mapStrings(one.error, toStorable)))),
		column(commands, (one) => duration(one.retryDelayMs)),
		column(commands, (one) => (one.deadlineSeconds === null ? null : seconds(one.deadlineSeconds))),
		column(commands, (one) => one.rerun),
		column(commands, (one) => one.ephemeral),
		column(commands, (one) => toStorable(one.executionId)),
	];
}

export function extendColumns(commands: ExtendCommand[]): Columns {
	return [
		column(commands, (one) => toStorable(one.key)),
		column(commands, (one) => toStorable(one.token)),
		column(commands, (one) => one.attempt),
		column(commands, (one) => duration(one.extendMs)),
	];
}

export function releaseColumns(commands: ReleaseCommand[]): Columns {
	return [
		column(commands, (one) => toStorable(one.key)),
		column(commands, (one) => toStorable(one.token)),
		column(commands, (one) => one.attempt),
		column(commands, (one) => one.rerun),
		column(commands, (one) => toStorable(one.executionId)),
	];
}

export function resolveColumns(commands: ResolveCommand[]): Columns {
	return [
		column(commands, (one) => toStorable(one.key)),
		column(commands, (one) => toStorable(one.token)),
		column(commands, (one) => one.revision),
		column(commands, (one) => one.decision),
		column(commands, (one) => one.force),
		column(commands, (one) => toStorable(one.who)),
		column(commands, (one) => toStorable(one.why)),
		column(commands, (one) => resultJson(one.result)),
		column(commands, (one) => toStorable(one.externalId)),
		column(commands, (one) => one.acceptChangedPayload),
		column(commands, (one) => toStorable(one.executionId)),
	];
}

export function sharedIdColumns(looking: Array<{ key: string; executionId: string | null; at: number }>): Columns {
	return [
		column(looking, (one) => toStorable(one.key)),
		column(looking, (one) => toStorable(one.executionId)),
		column(looking, (one) => one.at),
	];
}
