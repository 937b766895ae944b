import { existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { node24, node24Env } from '../withNode24.mjs';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Written by the build after the compilation: a build that failed leaves none. */
const LAST_WRITTEN = join(checkout, 'dist', 'ledger', 'vendor', 'LICENSES.txt');
const SOURCES = [
	'{credentials,nodes,ledger,icons}/**/*.{ts,sql,lua,svg,json}',
	'{package,tsconfig}.json',
	'gulpfile.js',
	'scripts/*.js',
];

/**
 * Builds the package unless dist is newer than everything it is made of.
 *
 * @param {{task?: 'build' | 'dist', onProgress?: (line: string) => void}} [options] `dist` leaves the
 *   generated files as they are
 */
export async function buildIfStale({ task = 'build', onProgress = () => {} } = {}) {
	if (isFresh()) return;
	const state = join(checkout, '.state');
	mkdirSync(state, { recursive: true });
	// Two test files may want it at the same moment.
	await withLock(join(state, 'build.lock'), () => {}, async () => {
		if (isFresh()) return;
		onProgress('Building the package …');
		const gulp = join(checkout, 'node_modules', 'gulp', 'bin', 'gulp.js');
		await run(node24(), [gulp, task, '--silent'], { cwd: checkout, env: node24Env() });
	});
}

function isFresh() {
	if (!existsSync(LAST_WRITTEN)) return false;
	const built = statSync(LAST_WRITTEN).mtimeMs;
	return globSync(SOURCES, { cwd: checkout }).every((file) => statSync(join(checkout, file)).mtimeMs <= built);
}
