import { RedisServer } from './startRedis';
import { removeFolder, temporaryFolder } from './temporaryFolder';

/**
 * One Sentinel that watches `primary` under the name "ledger" and promotes a replica when the primary
 * is gone for a second (its quorum is 1, which is for tests only).
 */
export async function startSentinel(primary: RedisServer): Promise<RedisServer> {
	const monitor = [`monitor ledger ${primary.host} ${primary.port} 1`, 'down-after-milliseconds ledger 1000'];
	monitor.push('failover-timeout ledger 5000');
	if (primary.password !== undefined) monitor.push(`auth-pass ledger ${JSON.stringify(primary.password)}`);
	const folder = temporaryFolder('sentinel');
	const sentinel = new RedisServer(folder, { config: { sentinel: monitor } }, ['--sentinel']);
	try {
		await sentinel.startOnFreePort();
	} catch (error) {
		removeFolder(folder);
		throw error;
	}
	return sentinel;
}
