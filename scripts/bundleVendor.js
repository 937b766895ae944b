// Bundles each file of ledger/vendor with the libraries it names, so that the package needs nothing
// beside it but n8n-workflow. Only these files: bundling every node by itself would give each node a
// connection pool of its own.
const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const esbuild = require('esbuild');

const root = join(__dirname, '..');

/** Replaces the compiled vendor files in `outFolder`. */
async function bundleVendor(outFolder) {
	const folder = join(root, 'ledger', 'vendor');
	const { metafile } = await esbuild.build({
		absWorkingDir: root,
		// The sources, not tsc's output: canonicalize exports itself to `import` only.
		entryPoints: readdirSync(folder).map((file) => join(folder, file)),
		outdir: outFolder,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20.19',
		mainFields: ['main'],
		// pg asks for its native twin only when told to; nobody has it beside n8n.
		external: ['n8n-workflow', 'pg-native'],
		minify: true,
		// Classes and functions keep their names, for stack traces and for libraries that look at them.
		keepNames: true,
		metafile: true,
		logLevel: 'warning',
	});
	writeFileSync(join(outFolder, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)));
}

/** The licences of what was bundled ask for their text to go with the copy. */
function licenses(inputs) {
	const folders = new Set(inputs.map((input) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
	return [...folders].sort().map((folder) => {
		const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
		const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
		const text = file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8') : `${license}\n`;
		return `${name} ${version}\n\n${text.trim()}\n`;
	}).join(`\n${'-'.repeat(78)}\n\n`);
}

module.exports = { bundleVendor };
