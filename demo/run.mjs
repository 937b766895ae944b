// npm run demo: the real nodes in n8n's engine, in this process, with and without the ledger.
// Bundled from source on the fly, so that it needs nothing but `npm ci`. Another workflow with the
// template's nodes may be given as an argument. Exit code 1 when it isn't guarded as it must be.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
mkdirSync(join(checkout, '.state'), { recursive: true });
// Inside the checkout, or the bundle wouldn't find node_modules.
const folder = mkdtempSync(join(checkout, '.state', 'demo-'));

try {
	await bundle(['demo', 'doomedWorker']);
	const template = process.argv[2] ?? join(checkout, 'templates', 'guard-an-http-create.json');
	const files = { template, worker: join(folder, 'doomedWorker.cjs') };
	const { runDemo } = createRequire(import.meta.url)(join(folder, 'demo.cjs'));
	const isRight = await runDemo(files, (text) => process.stdout.write(text));
	process.exitCode = isRight ? 0 : 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
// The ledger's file and n8n's engine keep things open that nobody waits for.
process.exit();

/** @param {string[]} names of files in demo/ */
async function bundle(names) {
	await build({
		entryPoints: names.map((name) => join(checkout, 'demo', `${name}.ts`)),
		outdir: folder,
		outExtension: { '.js': '.cjs' },
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node24',
		logLevel: 'warning',
		plugins: [{ name: 'packages stay outside', setup: keepPackagesOutside }],
	});
}

/** @param {import('esbuild').PluginBuild} builder */
function keepPackagesOutside(builder) {
	// Its `exports` know `import` only, which a bundle of CommonJS can't ask for: it is bundled.
	builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => (path === 'canonicalize' || kind === 'entry-point' ? undefined : { external: true }));
	// Scripts that look beside themselves, by import.meta.url.
	builder.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), external: true }));
}
