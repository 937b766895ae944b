import type { ClaimCommand, ExtendCommand, KeyParts, ReleaseCommand, ResolveCommand, SealCommand } from '../../core/commands';

/** ARGV of a script: names and values; a null or false is left out (lua/include/record.lua). */
export type ScriptArguments = string[];

export function claimArguments(command: ClaimCommand): ScriptArguments {
	return named({
		...keyParts(command),
		token: json(command.token),
		leaseMs: String(command.leaseMs),
		policy: command.policy,
		maxAttempts: String(command.maxAttempts),
		retentionSeconds: String(command.retentionSeconds),
		fingerprint: json(command.fingerprint),
		fingerprintFields: json(command.fingerprintFields),
		correlationId: json(command.correlationId),
		owner: JSON.stringify(command.owner),
		executionId: json(command.owner.executionId),
		ephemeral: flag(command.ephemeral),
	});
}

export function sealArguments(command: SealCommand): ScriptArguments {
	const { executionId } = command;
	// Only a success may leave an orphan behind.
	const owner = { instanceId: null, workflowId: null, workflowName: null, executionId, nodeName: null };
	const success = command.word === 'success';
	return named({
		...(success ? { ...keyParts(command), owner: JSON.stringify(owner), ephemeral: flag(command.ephemeral) } : {}),
		token: json(command.token),
		attempt: String(command.attempt),
		word: command.word,
		result: success ? json(command.result) : undefined,
		externalId: json(command.externalId),
		error: json(command.error),
		retryDelayMs: String(command.retryDelayMs),
		deadlineSeconds: command.deadlineSeconds === null ? undefined : String(command.deadlineSeconds),
		rerun: flag(command.rerun),
		executionId: json(executionId),
	});
}

export function extendArguments({ token, attempt, extendMs }: ExtendCommand): ScriptArguments {
	return named({ token: json(token), attempt: String(attempt), extendMs: String(extendMs) });
}

export function releaseArguments({ token, attempt, rerun, executionId }: ReleaseCommand): ScriptArguments {
	return named({ token: json(token), attempt: String(attempt), rerun: flag(rerun), executionId: json(executionId) });
}

export function resolveArguments(command: ResolveCommand): ScriptArguments {
	return named({
		token: json(command.token),
		revision: String(command.revision),
		decision: command.decision,
		force: flag(command.force),
		who: json(command.who),
		why: json(command.why),
		result: json(command.result),
		externalId: json(command.externalId),
		acceptChangedPayload: flag(command.acceptChangedPayload),
		executionId: json(command.executionId),
	});
}

/** Another key has the record's external ID; `at` is the clock of the seal's answer. */
export function noteArguments(note: {
	externalId: string;
	otherKey: string;
	executionId: string | null;
	at: number;
}): ScriptArguments {
	return named({
		externalId: json(note.externalId),
		otherKey: json(note.otherKey),
		executionId: json(note.executionId),
		at: String(note.at),
	});
}

function keyParts({ key, operation, businessId, scope, version }: KeyParts): Record<string, string | undefined> {
	return {
		key,
		operation: json(operation),
		businessId: json(businessId),
		scope: json(scope),
		version: json(version),
	};
}

/** The text of a value as the record keeps it; undefined for null. */
function json(value: unknown): string | undefined {
	return value === null || value === undefined ? undefined : JSON.stringify(value);
}

const flag = (value: boolean): string | undefined => (value ? '1' : undefined);

function named(values: Record<string, string | undefined>): ScriptArguments {
	return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}
