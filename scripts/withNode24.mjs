// Runs a tool from node_modules/.bin under Node.js 24, whatever Node.js started this script.
//
// Why: the embedded store needs node:sqlite and n8n 2.41 needs Node.js 24, but a newcomer's machine
// may have 20. The npm package `node` brings the binary; its own install script (skipped by .npmrc)
// is run once, here, the first time it is needed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');

/** Path of a Node.js binary of version 24 or newer. */
export function node24() {
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	const packaged = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (!existsSync(packaged)) {
		process.stderr.write('Fetching Node.js 24 from the npm registry (once) …\n');
		const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
		const rebuild = spawnSync(npm, ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'], {
			cwd: root,
			stdio: ['ignore', 'ignore', 'inherit'],
			shell: process.platform === 'win32',
		});
		if (rebuild.status !== 0 || !existsSync(packaged)) {
			process.stderr.write(
				'Node.js 24 could not be fetched from the npm registry. Run "npm ci" first, or start this command with Node.js 24 or newer.\n',
			);
			process.exit(1);
		}
	}
	return packaged;
}

/** Environment in which `node` is that binary, for the tool and all it starts. */
export function node24Env() {
	return { ...process.env, PATH: [dirname(node24()), bin, process.env.PATH].join(delimiter) };
}

const [tool, ...args] = process.argv.slice(2);
if (tool && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const target = tool.endsWith('.mjs') || tool.endsWith('.js') ? join(root, tool) : realpathSync(join(bin, tool));
	const child = spawn(node24(), [target, ...args], { cwd: root, stdio: 'inherit', env: node24Env() });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	// npm starts this through a shell that doesn't pass SIGTERM on: its end is then our signal.
	const parent = process.ppid;
	const orphaned = () => process.ppid !== parent && child.kill('SIGTERM');
	if (process.env.npm_lifecycle_event) setInterval(orphaned, 500).unref();
	child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}
