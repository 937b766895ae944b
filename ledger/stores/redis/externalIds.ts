import type { Answer, SealCommand, SealOutcome } from '../../core/commands';
import { answerOf } from './answers';
import { onKey, scriptCall } from './call';
import type { Call } from './call';
import { readSlim } from './records';
import type { RedisConnection } from './RedisConnection';
import { noteArguments } from './scriptArguments';

/** Rows looked at in one go; more than one is rare, and means that IDs aren't unique. */
const ROWS = 50;

/**
 * The row by which a key is found under an external ID. It is written before the record gets the ID,
 * since the two may be in different slots: a row without a record is harmless (readers look at the
 * record), a record without its row would be missing in a search.
 */
export function registration(connection: RedisConnection, externalId: string, key: string): Call {
	const { index, head } = connection.keys.external(externalId);
	return onKey('zadd', index, 0, head + key);
}

/** Keys that have, or may have had, an external ID; in order, at most `limit`, after `after`. */
export async function keysWithExternalId(
	connection: RedisConnection,
	externalId: string,
	limit: number,
	after: string | null = null,
): Promise<string[]> {
	const [rows] = await connection.read([range(connection, externalId, limit, after)]);
	return keysOf(connection, externalId, rows);
}

/**
 * The look sideways after successes: does another key of the operation have this external ID? Of two
 * that are sealed at once, the later one to look sees the other: each looks after its own record is
 * written. One more round trip for the batch; further ones only when there is another.
 */
export async function lookSideways(
	connection: RedisConnection,
	answers: Array<Answer<SealOutcome>>,
	commands: SealCommand[],
): Promise<Array<Answer<SealOutcome>>> {
	const looking = [...answers.keys()].filter((i) => looks(answers[i], commands[i]));
	const ids = looking.map((i) => answers[i].record!.externalId!);
	const rows = await connection.read(ids.map((id) => range(connection, id, 2, null)));
	const noted = [...answers];
	for (const [n, i] of looking.entries()) {
		const keys = keysOf(connection, ids[n], rows[n]);
		if (keys.every((key) => key === commands[i].key)) continue;
		noted[i] = await noteOther(connection, answers[i], ids[n], commands[i]);
	}
	return noted;
}

function looks({ outcome, record }: Answer<SealOutcome>, command: SealCommand): boolean {
	const success = command.externalIdIsUnique && command.word === 'success' && outcome === 'sealed';
	return success && record?.state === 'succeeded' && record.externalId !== null;
}

async function noteOther(
	connection: RedisConnection,
	answer: Answer<SealOutcome>,
	externalId: string,
	{ key, operation, executionId }: SealCommand,
): Promise<Answer<SealOutcome>> {
	const { at, record } = answer;
	const otherKey = await firstOther(connection, { key, operation: record?.operation ?? operation, externalId, at });
	if (otherKey === null) return answer;
	const args = noteArguments({ externalId, otherKey, executionId, at });
	const names = [connection.keys.record(key), connection.keys.indexOf(key)];
	const [reply] = await connection.write([scriptCall('noteSharedId', names, args)]);
	return { ...answer, record: answerOf(reply).record ?? record, detail: 'anomaly' };
}

async function firstOther(
	connection: RedisConnection,
	own: { key: string; operation: string; externalId: string; at: number },
): Promise<string | null> {
	let after: string | null = null;
	for (;;) {
		const keys: string[] = await keysWithExternalId(connection, own.externalId, ROWS, after);
		const others = keys.filter((key) => key !== own.key);
		const found = (await readSlim(connection, others, own.at)).find(
			(other) => other?.operation === own.operation && other.externalId === own.externalId,
		);
		if (found) return found.key;
		if (keys.length < ROWS) return null;
		after = keys[keys.length - 1];
	}
}

function range(connection: RedisConnection, externalId: string, limit: number, after: string | null): Call {
	const { index, head } = connection.keys.external(externalId);
	const from = after === null ? `[${head}` : `(${head}${after}`;
	// U+FFFF comes after every sign a key may have.
	return onKey('zrange', index, from, `[${head}\uffff`, 'BYLEX', 'LIMIT', 0, limit);
}

function keysOf(connection: RedisConnection, externalId: string, rows: unknown): string[] {
	const { head } = connection.keys.external(externalId);
	return (rows as string[]).map((row) => row.slice(head.length));
}
