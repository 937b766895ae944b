import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

export interface RedisCommand {
	command: string;
	/** Arguments before the path of redis.conf. */
	args: string[];
	container?: string;
}

const IMAGE = 'redis:7.2.4-alpine';
let server: string | undefined;

/**
 * How to run a Redis here: `redis-server` or `valkey-server` on PATH, else Docker, else Debian's
 * package, which root may install.
 *
 * @throws one sentence when there is no way
 */
export function redisCommand(folder: string, port: number): RedisCommand {
	server ??= ['redis-server', 'valkey-server'].find(works);
	if (server) return { command: server, args: [] };
	if (succeeds('docker', ['version'])) return inDocker(folder, port);
	if (process.getuid?.() === 0 && works('apt-get')) installDebianPackage();
	server = ['redis-server'].find(works);
	if (server) return { command: server, args: [] };
	throw new Error(
		'No Redis for the tests: neither "redis-server" nor "valkey-server" is on PATH, Docker does not answer, and Debian\'s package could not be installed (that takes root and apt-get). Install Redis, or set LEDGER_TEST_REDIS_URL.',
	);
}

function inDocker(folder: string, port: number): RedisCommand {
	const container = `ledger-test-redis-${randomUUID()}`;
	const args = ['run', '--rm', '--init', '--name', container, '--publish', `127.0.0.1:${port}:${port}`];
	args.push('--volume', `${folder}:${folder}`, '--workdir', folder);
	// The files have to stay ours, or the folder couldn't be removed.
	if (process.getuid && process.getgid) args.push('--user', `${process.getuid()}:${process.getgid()}`);
	return { command: 'docker', args: [...args, IMAGE, 'redis-server'], container };
}

function installDebianPackage(): void {
	process.stderr.write("Installing Debian's redis-server for the tests …\n");
	// Debian asks this script before it starts a service: 101 is "no". The tests start their own.
	const policy = '/usr/sbin/policy-rc.d';
	const ours = !existsSync(policy);
	if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	try {
		spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
		spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
			env,
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	} finally {
		if (ours) rmSync(policy);
	}
}

function works(command: string): boolean {
	return succeeds(command, ['--version']);
}

function succeeds(command: string, args: string[]): boolean {
	return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
