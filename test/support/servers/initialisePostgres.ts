import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PostgresOptions } from './startPostgres';
import type { Account } from './unprivilegedAccount';

/** The server's environment: nothing of ours (PGDATA, PGPORT …) may leak in; messages in English. */
export const POSTGRES_ENV = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC', PATH: process.env.PATH };

/** initdb in `<folder>/data`, with the superuser `user`. */
export function initialisePostgres(
	bin: string,
	folder: string,
	user: string,
	password: string | undefined,
	account: Account | undefined,
): void {
	const secret = join(folder, 'password');
	writeFileSync(secret, `${password ?? 'unused'}\n`);
	give(secret, account);
	const args = ['-D', join(folder, 'data'), '-U', user, '--encoding=UTF8', '--locale=C', '--no-sync'];
	args.push(`--pwfile=${secret}`, `--auth=${password === undefined ? 'trust' : 'scram-sha-256'}`);
	const run = spawnSync(join(bin, 'initdb'), args, {
		cwd: folder,
		env: POSTGRES_ENV,
		encoding: 'utf8',
		...account,
	});
	rmSync(secret);
	if (run.status !== 0) throw new Error(`initdb failed: ${run.stderr || run.error?.message}`);
}

/** Appends our settings to postgresql.conf, and to pg_hba.conf what TLS needs. */
export function configurePostgres(
	data: string,
	{ config = {}, durable = false, tls, password }: PostgresOptions,
	account: Account | undefined,
): void {
	const settings: Record<string, string | number | boolean> = {
		listen_addresses: '127.0.0.1',
		// No socket file: its path would be too long below some temporary folders.
		unix_socket_directories: '',
		max_connections: 200,
		shared_buffers: '32MB',
		logging_collector: false,
		log_min_messages: 'warning',
		...(!durable && { fsync: false, synchronous_commit: false, full_page_writes: false }),
		...config,
	};
	if (tls) {
		for (const name of ['certificate', 'key', 'ca'] as const) {
			const copy = join(data, `${name}.pem`);
			copyFileSync(tls[name], copy);
			chmodSync(copy, 0o600); // PostgreSQL refuses a key that others can read
			give(copy, account);
		}
		Object.assign(settings, {
			ssl: true,
			ssl_cert_file: 'certificate.pem',
			ssl_key_file: 'key.pem',
			ssl_ca_file: 'ca.pem',
		});
		const method = password === undefined ? 'trust' : 'scram-sha-256';
		const certificate = tls.clientCertificates ? ' clientcert=verify-ca' : '';
		writeFileSync(join(data, 'pg_hba.conf'), `hostssl all all 127.0.0.1/32 ${method}${certificate}\n`);
	}
	const lines = Object.entries(settings).map(([name, value]) => {
		const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
		return `${name} = '${text.replaceAll("'", "''")}'\n`;
	});
	appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
}

function give(path: string, account: Account | undefined): void {
	if (account) chownSync(path, account.uid, account.gid);
}
