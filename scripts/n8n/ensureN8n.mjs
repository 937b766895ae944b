import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { node24Env } from '../withNode24.mjs';
import { buildSqlite3 } from './buildSqlite3.mjs';
import { cacheFolder } from './cacheFolder.mjs';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';

/** The version everything here is tested with. Some newer ones can't be installed from every mirror. */
export const N8N_VERSION = '2.41.1';

/**
 * Installs n8n once into the cache folder, outside the checkout: about 3 minutes and 3 GB.
 *
 * @param {{version?: string, onProgress?: (line: string) => void}} [options]
 * @returns {Promise<string>} path of n8n's start script, to be run under Node.js 24
 * @throws {Error} one sentence that says what is missing
 */
export async function ensureN8n({ version = N8N_VERSION, onProgress = () => {} } = {}) {
	const folder = join(cacheFolder(), `n8n-${version}`);
	const script = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	// Written last: whatever was interrupted before is looked at again.
	const marker = join(folder, '.complete');
	if (existsSync(marker)) return script;
	await mkdir(folder, { recursive: true });
	const onWait = () => onProgress('Another process is installing n8n, waiting for it …');
	await withLock(join(cacheFolder(), `n8n-${version}.lock`), onWait, async () => {
		if (existsSync(marker)) return;
		if (!(await isInstalled(folder, version))) await install(folder, version, onProgress);
		await buildSqlite3(folder, onProgress);
		await writeFile(marker, `n8n ${version}\n`);
	});
	return script;
}

/**
 * npm writes its hidden lockfile when everything else is in place.
 *
 * @param {string} folder
 * @param {string} version
 */
async function isInstalled(folder, version) {
	const lockfile = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(lockfile)) return false;
	const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));
	return packages?.['node_modules/n8n']?.version === version;
}

/**
 * @param {string} folder
 * @param {string} version
 * @param {(line: string) => void} onProgress
 */
async function install(folder, version, onProgress) {
	const modules = join(folder, 'node_modules');
	await rm(modules, { recursive: true, force: true }); // half of an interrupted installation
	const manifest = { name: 'n8n-runtime', private: true, dependencies: { n8n: version } };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	onProgress(`Installing n8n ${version} (once, about 3 minutes and 3 GB, into ${folder}) …`);
	const began = Date.now();
	const ticker = setInterval(async () => {
		const count = await readdir(modules).then((entries) => entries.length, () => 0);
		onProgress(`  ${Math.round((Date.now() - began) / 1000)} s, ${count} packages …`);
	}, 15_000);
	try {
		// --prefix: under "npm start", npm's environment would point at the checkout.
		const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		await run('npm', ['install', '--prefix', folder, ...flags], { cwd: folder, env: node24Env() });
	} catch (error) {
		const cause = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed from the npm registry. ${cause}`);
	} finally {
		clearInterval(ticker);
	}
}
