import { spawn } from 'node:child_process';

import { forget, watch } from '../watchdog.mjs';

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number}} [options]
 * @returns {Promise<string>} its standard output
 * @throws {Error} with the end of what it wrote when it fails or takes too long
 */
export async function run(command, args, { cwd, env, timeoutMs } = {}) {
	const child = spawn(command, args, {
		cwd,
		env: env ?? process.env,
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: timeoutMs,
		shell: process.platform === 'win32',
	});
	const id = `run-${child.pid}`;
	if (child.pid) watch({ id, pid: child.pid });
	child.once('close', () => forget(id));
	let output = '';
	let written = '';
	child.stdout.on('data', (chunk) => (output += chunk));
	// Some tools complain on their standard output.
	for (const pipe of [child.stdout, child.stderr]) {
		pipe.on('data', (chunk) => (written = (written + chunk).slice(-4_000)));
	}
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => {
			if (code === 0) resolve(output);
			else reject(new Error(`"${command} ${args.join(' ')}" ended with ${signal ?? code}:\n${written.trim()}`));
		});
	});
}
