const { spawn } = require('node:child_process');
const { globSync } = require('node:fs');
const { cp, rm } = require('node:fs/promises');
const { join } = require('node:path');

const { parallel, series } = require('gulp');

const { bundleVendor } = require('./scripts/bundleVendor');
const { writeGeneratedFiles } = require('./scripts/embedStatements');

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Embeds SQL and Lua into the committed *.generated.ts files. */
async function generate() {
	for (const path of writeGeneratedFiles()) process.stdout.write(`wrote ${path}\n`);
}

function compile() {
	// The comments are for who reads the sources; without them the package is a tenth smaller.
	const args = [require.resolve('typescript/bin/tsc'), '--removeComments'];
	// Handed to gulp, so that a failed compilation fails the build.
	return spawn(process.execPath, args, { stdio: 'inherit' });
}

async function vendor() {
	await bundleVendor(join(__dirname, 'dist', 'ledger', 'vendor'));
}

/** What n8n reads beside the code: icons and codex files; and the SQL for a DBA (Create Tables off). */
async function assets() {
	const files = globSync([
		'{credentials,nodes,icons}/**/*.svg',
		'nodes/**/*.node.json',
		'ledger/stores/postgres/migrations/*.sql',
	]);
	await Promise.all(files.map((file) => cp(file, join('dist', file))));
}

exports.clean = clean;
exports.generate = generate;
/** dist from what is there, for tests: they shouldn't make stale generated files fresh unseen. */
exports.dist = series(clean, compile, parallel(vendor, assets));
exports.build = series(generate, exports.dist);
