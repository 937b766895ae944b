import type { Finding } from '../../core/store';

type Values = Record<string, string> | null;

/** ZRANDMEMBER and ZRANGE … BYLEX. */
const OLDEST = [6, 2];

export function serverName(info: Values): string {
	if (info?.valkey_version !== undefined) return `Valkey ${info.valkey_version}`;
	return info?.redis_version === undefined ? 'Redis' : `Redis ${info.redis_version}`;
}

export function versionFindings(info: Values): Finding[] {
	const version = info?.redis_version;
	if (version === undefined) {
		return [warning('The server does not let this user ask for its version, role and memory (INFO): not checked')];
	}
	const [major, minor] = version.split('.').map(Number);
	const old = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
	const name = serverName(info);
	return [old ? problem(`${name} is too old; the ledger needs ${OLDEST.join('.')} or newer (SERVER_TOO_OLD)`) : ok(name)];
}

export function replicationFindings(info: Values, waitForReplicas: number): Finding[] {
	if (info?.role === undefined) return [];
	if (info.role !== 'master') return [problem('The server is a replica: it can\'t hold a claim. Use the primary')];
	const connected = Number(info.connected_slaves ?? 0);
	const findings = [ok(`Primary with ${connected} connected ${connected === 1 ? 'replica' : 'replicas'}`)];
	if (waitForReplicas > connected) {
		const text = `Wait For Replicas is ${waitForReplicas}, but only ${connected} connected: every claim would fail`;
		findings.push(problem(text));
	}
	return findings;
}

/**
 * Any policy but noeviction breaks a guarantee once memory is full: allkeys-* forgets unsettled records
 * (G7), volatile-* forgets finished ones before their time, whose keys could then be claimed again (G2).
 */
export function memoryFinding(info: Values, config: Values): Finding {
	const policy = info?.maxmemory_policy ?? config?.['maxmemory-policy'];
	if (policy === undefined) return warning('maxmemory-policy could not be read; it must be noeviction');
	if (policy === 'noeviction') return ok('maxmemory-policy is noeviction');
	if (info?.maxmemory === '0') {
		return warning(`maxmemory-policy is ${policy}: harmless only as long as maxmemory is unlimited. Set it to noeviction`);
	}
	const harm = policy.startsWith('allkeys')
		? 'when memory is full, Redis throws away records that are not settled'
		: 'when memory is full, Redis throws away finished records before their time, and their keys can be claimed again';
	return problem(`maxmemory-policy is ${policy}: ${harm}. Set it to noeviction`);
}

export function persistenceFindings(info: Values, config: Values): Finding[] {
	const appendOnly = info?.aof_enabled === undefined ? config?.appendonly : info.aof_enabled === '1' ? 'yes' : 'no';
	const findings: Finding[] = [];
	if (info?.aof_last_write_status === 'err') findings.push(problem("The append-only file can't be written: disk full?"));
	if (info?.rdb_last_bgsave_status === 'err') findings.push(warning('The last snapshot failed; Redis may stop taking writes'));
	if (appendOnly === undefined) return [...findings, warning('Whether Redis keeps its data on disk could not be checked')];
	if (appendOnly === 'yes') {
		const fsync = config?.appendfsync;
		if (fsync === 'always') return [...findings, ok('Every write is on disk before it is answered (appendfsync always)')];
		const loss = fsync === 'no' ? 'what the operating system had not written yet' : 'up to one second of writes';
		const known = fsync === undefined ? 'appendfsync could not be read' : `appendfsync ${fsync}`;
		return [...findings, ok(`Append-only file is on; a crash may lose ${loss} (${known})`)];
	}
	if (config === null) {
		return [...findings, warning('The append-only file is off, and whether snapshots are made could not be checked')];
	}
	if (config.save === '') {
		return [...findings, problem('Nothing is kept on disk: a restart of Redis forgets every record, and with it what was done. Switch appendonly on')];
	}
	return [...findings, problem('Only snapshots are kept on disk: a crash of Redis forgets everything since the last one. Switch appendonly on')];
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const problem = (text: string): Finding => ({ level: 'problem', text });
