import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { forget, watch } from '../watchdog.mjs';
import { run } from './run.mjs';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * What npm would publish, unpacked. The package has to be built.
 *
 * @param {{from?: string}} [options] another package than this checkout, for trying things
 * @returns {Promise<{tarball: string, folder: string, files: string[], unpackedSize: number, remove(): Promise<void>}>}
 *   `folder` holds the package's files, `files` lists them by their path in it, the size is in bytes
 */
export async function packPackage({ from = checkout } = {}) {
	const place = await mkdtemp(join(tmpdir(), 'n8n-nodes-idempotency-'));
	watch({ id: place, folder: place });
	const flags = ['--json', '--pack-destination', place, '--ignore-scripts', '--loglevel=error'];
	const answer = JSON.parse(await run('npm', ['pack', from, ...flags], { cwd: from }));
	// npm 12 answers an object with the packages' names as keys, older ones an array.
	const [packed] = Object.values(answer);
	const tarball = join(place, packed.filename);
	await run('tar', ['-xzf', tarball, '-C', place], { cwd: place });
	const folder = join(place, packed.name);
	await rename(join(place, 'package'), folder);
	return {
		tarball,
		folder,
		files: packed.files.map(({ path }) => path),
		unpackedSize: packed.unpackedSize,
		remove: async () => {
			await rm(place, { recursive: true, force: true });
			forget(place);
		},
	};
}
