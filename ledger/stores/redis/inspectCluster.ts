import type { Finding } from '../../core/store';
import type { Client } from './client';
import { ok, problem, warning } from './inspectFindings';

/** Whether every slot is served. */
export async function clusterFindings(client: Client): Promise<Finding[]> {
	const text = await client.call('cluster', 'info').then(String, () => null);
	if (text === null) return [warning('The state of the cluster could not be asked for (CLUSTER INFO)')];
	if (/cluster_state:ok/.test(text)) return [ok('The cluster serves all slots')];
	return [problem('The cluster is down or does not serve all slots: claims would fail')];
}
