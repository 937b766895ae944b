import { LedgerError } from '../../core/errors';
import type { Finding, StoreReport } from '../../core/store';
import type { Client } from './client';
import { within } from './deadline';
import { clusterFindings } from './inspectCluster';
import { memoryFinding, persistenceFindings, problem, replicationFindings, serverName, versionFindings } from './inspectFindings';
import { missingRights } from './inspectRights';
import type { RedisConnection } from './RedisConnection';
import { toLedgerError } from './redisErrors';

/** What one server says of itself; null where it doesn't let us ask. */
export interface Told {
	info: Record<string, string> | null;
	/** CONFIG GET, a right that managed services don't give */
	config: Record<string, string> | null;
}

/** Ask each primary, and try each command of the ledger once. @throws LedgerError as every command */
export async function inspectServer(connection: RedisConnection): Promise<StoreReport> {
	try {
		return await inspectPrimaries(connection);
	} catch (error) {
		const failure = toLedgerError(error);
		if (failure.code !== 'READ_ONLY') throw toLedgerError(failure);
		const text = `${failure.message}: it can't hold a claim. ${failure.advice}`;
		return { server: `Redis (${connection.settings.mode})`, findings: [problem(text)] };
	}
}

async function inspectPrimaries(connection: RedisConnection): Promise<StoreReport> {
	const { commandTimeoutMs, mode, waitForReplicas } = connection.settings;
	const late = () => new LedgerError('TIMEOUT', `Redis did not answer within ${commandTimeoutMs} ms`);
	const client = await connection.open();
	const nodes = 'nodes' in client ? client.nodes('master') : [client];
	const told = await within(commandTimeoutMs, Promise.all(nodes.map(ask)), late);
	const findings: Finding[] = [];
	for (const { info, config } of told) {
		findings.push(
			...versionFindings(info),
			...replicationFindings(info, waitForReplicas),
			memoryFinding(info, config),
			...persistenceFindings(info, config),
		);
	}
	if (mode === 'cluster') findings.push(...(await within(commandTimeoutMs, clusterFindings(client), late)));
	findings.push(await missingRights(connection));
	return { server: `${serverName(told[0]?.info ?? null)} (${mode})`, findings: distinct(findings) };
}

async function ask(node: Client): Promise<Told> {
	const [info, config] = await Promise.all([
		node.call('info').then((text) => parseInfo(String(text)), () => null),
		Promise.all(['maxmemory-policy', 'save', 'appendonly', 'appendfsync'].map((name) => node.call('config', 'get', name))).then(
			(replies) => Object.fromEntries((replies as string[][]).map(([name, value]) => [name, value])),
			() => null,
		),
	]);
	return { info, config };
}

/** INFO is lines of `name:value` under `# Section` heads. */
function parseInfo(text: string): Record<string, string> {
	const lines = text.split(/\r?\n/).filter((line) => line.includes(':') && !line.startsWith('#'));
	return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** Nodes of a cluster say the same things. */
function distinct(findings: Finding[]): Finding[] {
	const seen = new Set<string>();
	return findings.filter(({ text }) => !seen.has(text) && seen.add(text));
}
