import { Redis } from 'ioredis';

import { startRedis, type RedisServer } from './startRedis';

const SLOTS = 16_384;
const FORMED_WITHIN_MS = 20_000;

export interface RedisCluster {
	nodes: RedisServer[];
	dispose(): Promise<void>;
}

/** A Redis Cluster of primaries without replicas, all slots served. */
export async function startRedisCluster({ size = 3 } = {}): Promise<RedisCluster> {
	const config = { 'cluster-enabled': 'yes', 'cluster-node-timeout': 5_000 };
	const nodes = await Promise.all(Array.from({ length: size }, async () => await startRedis({ config })));
	const clients = nodes.map(({ url }) => new Redis(url));
	const dispose = async (): Promise<void> => {
		await Promise.all(nodes.map(async (node) => await node.dispose()));
	};
	try {
		for (const [index, client] of clients.entries()) {
			await client.call('CLUSTER', 'ADDSLOTS', ...slotsOf(index, size));
			// Everybody meets everybody: waiting for gossip would take seconds more.
			for (const { host, port } of nodes.slice(0, index)) await client.call('CLUSTER', 'MEET', host, String(port));
		}
		const deadline = Date.now() + FORMED_WITHIN_MS;
		while (!(await Promise.all(clients.map(async (client) => await isFormed(client, size)))).every(Boolean)) {
			if (Date.now() > deadline) throw new Error('The Redis Cluster did not form');
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	} catch (error) {
		await dispose();
		throw error;
	} finally {
		for (const client of clients) client.disconnect();
	}
	return { nodes, dispose };
}

function slotsOf(index: number, size: number): string[] {
	const all = Array.from({ length: SLOTS }, (_none, slot) => slot);
	return all.filter((slot) => Math.floor((slot * size) / SLOTS) === index).map(String);
}

async function isFormed(client: Redis, size: number): Promise<boolean> {
	const info = String(await client.call('CLUSTER', 'INFO'));
	return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
}
