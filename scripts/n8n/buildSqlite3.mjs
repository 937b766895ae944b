import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { node24, node24Env } from '../withNode24.mjs';
import { run } from './run.mjs';

/** A machine behind a firewall shouldn't wait long for the prebuilt file. */
const DOWNLOAD_MS = 60_000;

/**
 * Gives n8n's sqlite3 its native part, which `npm install --ignore-scripts` left out: the prebuilt one
 * that its authors publish, else a build on this machine. The only install script n8n needs.
 *
 * @param {string} folder n8n's installation
 * @param {(line: string) => void} onProgress
 * @throws {Error} one sentence when neither works
 */
export async function buildSqlite3(folder, onProgress) {
	const cwd = join(folder, 'node_modules', 'sqlite3');
	const env = node24Env();
	if (await loads(cwd)) return;
	onProgress("Fetching the native part of n8n's SQLite …");
	const tool = (name) => realpathSync(join(folder, 'node_modules', '.bin', name));
	const failed = () => {}; // loads() is the judge
	await run(node24(), [tool('prebuild-install'), '-r', 'napi'], { cwd, env, timeoutMs: DOWNLOAD_MS }).catch(failed);
	if (await loads(cwd)) return;
	onProgress('There is none for this machine, building it (about a minute) …');
	const headers = nodeFolderWithHeaders();
	const args = [tool('node-gyp'), 'rebuild', ...(headers ? [`--nodedir=${headers}`] : [])];
	const complaint = await run(node24(), args, { cwd, env }).then(() => '', (error) => String(error.message));
	if (await loads(cwd)) return;
	throw new Error(
		`n8n's SQLite needs a native part that could neither be fetched nor built: install a C++ compiler, make and Python 3 (on Debian: apt-get install build-essential python3) and try again. ${lastLine(complaint)}`,
	);
}

/** @param {string} cwd */
async function loads(cwd) {
	return await run(node24(), ['-e', 'require(".")'], { cwd }).then(() => true, () => false);
}

/**
 * The folder above include/node of some Node.js on PATH, so that the headers needn't be downloaded.
 * Any major will do: the addon uses only N-API.
 */
function nodeFolderWithHeaders() {
	return (process.env.PATH ?? '')
		.split(delimiter)
		.map((folder) => join(folder, 'node'))
		.filter((binary) => existsSync(binary))
		.map((binary) => dirname(dirname(realpathSync(binary))))
		.find((folder) => existsSync(join(folder, 'include', 'node', 'node_api.h')));
}

/** @param {string} text */
function lastLine(text) {
	return text.trim().split('\n').findLast((line) => /err!|error/i.test(line)) ?? '';
}
