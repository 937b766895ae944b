import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { node24 } from '../withNode24.mjs';
import { communityPackages, n8nEnvironment } from './environment.mjs';
import { ensureN8n } from './ensureN8n.mjs';
import { freePort } from './freePort.mjs';
import { N8nProcess } from './N8nProcess.mjs';
import { run } from './run.mjs';

/**
 * @typedef {object} StartOptions
 * @property {string} userFolder n8n keeps its .n8n folder in here; it may be a used one
 * @property {number} [port] default: any free one
 * @property {string} [packageFolder] an unpacked package (packPackage) to install before the start
 * @property {string} [packageTarball] or the same as npm pack made it
 * @property {Record<string, string>} [env] more variables for n8n; they win
 * @property {Record<string, string>} [dbEnv] DB_TYPE, DB_POSTGRESDB_* …; default: SQLite in userFolder
 * @property {string} [version]
 * @property {(line: string) => void} [onProgress]
 *
 * @typedef {{url: string, port: number, stop(): Promise<void>, kill(): Promise<void>, log(): string,
 *   readonly pid: number, readonly running: boolean, readonly ended: Promise<void>}} RunningN8n
 */

/**
 * Starts an n8n with the package installed as a package, and waits until it answers. It ends with
 * this process at the latest.
 *
 * @param {StartOptions} options
 * @returns {Promise<RunningN8n>}
 */
export async function startN8n(options) {
	await installPackage(options);
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const n8n = await launch('start', port, options, /Editor is now accessible/);
	// The log line comes before the last routes are there.
	while ((await statusOf(`${url}/healthz/readiness`)) !== 200) {
		if (!n8n.running) throw new Error(`n8n ended while it started:\n${n8n.log().slice(-2_000)}`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	return running(n8n, url, port);
}

/**
 * Starts a worker of a queue-mode n8n. `env` and `dbEnv` have to name the same Redis and PostgreSQL as
 * the main process got (EXECUTIONS_MODE=queue, QUEUE_BULL_REDIS_HOST, QUEUE_BULL_REDIS_PORT …).
 *
 * @param {StartOptions & {concurrency?: number}} options give each worker a userFolder of its own
 * @returns {Promise<RunningN8n>} `url` answers /healthz only
 */
export async function startWorker(options) {
	await installPackage(options);
	const port = options.port ?? (await freePort());
	const env = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port), ...options.env };
	const args = ['worker', `--concurrency=${options.concurrency ?? 5}`];
	const n8n = await launch(args, port, { ...options, env }, /n8n worker is now ready/);
	return running(n8n, `http://127.0.0.1:${port}`, port);
}

/**
 * Runs a command of n8n's own command line (import:workflow, execute …) to its end; the server has to
 * be stopped.
 *
 * @param {string[]} args
 * @param {StartOptions} options
 * @returns {Promise<string>} its standard output
 */
export async function runN8nCommand(args, options) {
	const { script, env } = await prepare(await freePort(), options);
	return await run(node24(), [script, ...args], { cwd: options.userFolder, env });
}

/**
 * @param {string | string[]} args
 * @param {number} port
 * @param {StartOptions} options
 * @param {RegExp} readyLine
 */
async function launch(args, port, options, readyLine) {
	const { script, env } = await prepare(port, options);
	return await N8nProcess.start({ args: [script, ...[args].flat()], env, folder: options.userFolder, readyLine });
}

/**
 * @param {number} port
 * @param {StartOptions} options
 */
async function prepare(port, { userFolder, env, dbEnv, version, onProgress }) {
	const script = await ensureN8n({ version, onProgress });
	mkdirSync(userFolder, { recursive: true });
	const brokerPort = await freePort();
	return { script, env: n8nEnvironment({ userFolder, port, brokerPort, env: { ...dbEnv, ...env } }) };
}

/** @param {StartOptions} options */
async function installPackage({ userFolder, packageFolder, packageTarball }) {
	if (!packageFolder && !packageTarball) return;
	const place = communityPackages(userFolder);
	mkdirSync(place, { recursive: true });
	const draft = mkdtempSync(join(place, '.draft-'));
	if (packageFolder) cpSync(packageFolder, join(draft, 'package'), { recursive: true });
	else await run('tar', ['-xzf', String(packageTarball), '-C', draft], { cwd: place });
	const name = packageFolder ? basename(packageFolder) : 'n8n-nodes-idempotency';
	rmSync(join(place, name), { recursive: true, force: true }); // of an earlier start
	cpSync(join(draft, 'package'), join(place, name), { recursive: true });
	rmSync(draft, { recursive: true, force: true });
}

/**
 * @param {N8nProcess} n8n
 * @param {string} url
 * @param {number} port
 * @returns {RunningN8n}
 */
function running(n8n, url, port) {
	return {
		url,
		port,
		get pid() {
			return n8n.pid;
		},
		get running() {
			return n8n.running;
		},
		stop: async () => await n8n.stop(),
		kill: async () => await n8n.kill(),
		log: () => n8n.log(),
		ended: n8n.ended,
	};
}

/** @param {string} url */
async function statusOf(url) {
	return await fetch(url).then(({ status }) => status, () => 0);
}
