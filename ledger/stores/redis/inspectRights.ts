import { isLedgerError } from '../../core/errors';
import type { Finding } from '../../core/store';
import { call, onKey, scriptCall } from './call';
import type { Call } from './call';
import { ok, problem } from './inspectFindings';
import type { RedisConnection } from './RedisConnection';
import { toLedgerError } from './redisErrors';

/*
 * The least rights of the ledger's user (docs/operations.md):
 *
 *   ACL SETUSER ledger on >secret ~<prefix>:* resetchannels -@all
 *     +eval +evalsha +time +hset +hgetall +hmget +hdel +del +zadd +zrem +zrange +zrangebylex
 *     +zrandmember +pexpireat +persist
 *
 * more, as far as used: +select (a database other than 0), +wait (Wait For Replicas), +client|setname
 * (only for a name in CLIENT LIST), +cluster|slots +cluster|info (Cluster), +info +config|get (only the
 * connection test).
 */

/** Every command of the ledger once, so that they change nothing but a key that is gone at once. */
export async function missingRights(connection: RedisConnection): Promise<Finding> {
	const { keys, settings } = connection;
	const [probe, sorted] = [keys.probe(), keys.probe(1)];
	const calls: Call[] = [
		onKey('del', probe),
		call(probe, 'time'),
		onKey('hset', probe, 'probe', '1'),
		onKey('hgetall', probe),
		onKey('hmget', probe, 'probe'),
		onKey('persist', probe),
		onKey('pexpireat', probe, Date.now() + 600_000), // should the removal be refused
		onKey('hdel', probe, 'probe'),
		onKey('zadd', sorted, 0, 'probe'),
		onKey('zrange', sorted, '[p', '[q', 'BYLEX', 'LIMIT', 0, 1),
		onKey('zrangebylex', sorted, '[p', '[q', 'LIMIT', 0, 1),
		onKey('zrandmember', sorted, 1),
		onKey('zrem', sorted, 'probe'),
		scriptCall('index', [sorted], ['P', '', '1']),
		...(settings.waitForReplicas > 0 ? [call(probe, 'wait', 0, 1)] : []),
	];
	const refused: string[] = [];
	for (const each of calls) {
		try {
			await connection.read([each]);
		} catch (error) {
			refused.push(permissionOf(error));
		}
	}
	if (refused.length === 0) return ok('The user may do all that the ledger needs');
	return problem([...new Set(refused)].join('; '));
}

/** What wasn't permitted; anything else is no finding but a failure. */
function permissionOf(error: unknown): string {
	if (isLedgerError(error) && error.code === 'PERMISSION_DENIED') return error.message;
	throw toLedgerError(error);
}
