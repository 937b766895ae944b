// SQL and Lua live in .sql and .lua files, where editors and reviewers understand them; n8n loads
// only JavaScript. This writes them into TypeScript modules, which are committed:
//
//   ledger/stores/<store>/sql/find-stuck.sql         statements.generated.ts  { findStuck: "…" }
//   ledger/stores/<store>/migrations/0001_init.sql   migrations.generated.ts  [{ id: "0001_init", sql: "…" }]
//   ledger/stores/<store>/lua/claim-1.lua            scripts.generated.ts     { claim: { keys: 1, source: "…" } }
//
// A line `-- @include name` in a Lua file is replaced by lua/include/name.lua, once per script.
// test/package/generated.test.ts fails when a generated file is stale.
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const root = join(__dirname, '..');

/**
 * What the generated files have to hold.
 *
 * @param {string} [base] the checkout
 * @returns {Array<{path: string, source: string}>} absolute path and text of each
 */
function generatedFiles(base = root) {
	const stores = join(base, 'ledger', 'stores');
	return readdirSync(stores, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap(({ name }) => [
			...generated(join(stores, name), 'sql', 'statements', statements),
			...generated(join(stores, name), 'migrations', 'migrations', migrations),
			...generated(join(stores, name), 'lua', 'scripts', scripts),
		]);
}

/** Writes the files that aren't fresh; returns their paths. */
function writeGeneratedFiles(base = root) {
	const stale = generatedFiles(base).filter(
		({ path, source }) => !existsSync(path) || readFileSync(path, 'utf8') !== source,
	);
	for (const { path, source } of stale) writeFileSync(path, source);
	return stale.map(({ path }) => path);
}

function generated(store, folder, name, literal) {
	const from = join(store, folder);
	if (!existsSync(from)) return [];
	const extension = folder === 'lua' ? '.lua' : '.sql';
	const files = readdirSync(from).filter((file) => file.endsWith(extension)).sort();
	if (files.length === 0) return [];
	const head = `// Generated from ${folder}/*${extension} by "npm run generate". Change those files, not this one.\n`;
	const body = literal(files.map((file) => ({ file, text: readFileSync(join(from, file), 'utf8') })), from);
	const source = `${head}export const ${name} = ${body} as const;\n`;
	return [{ path: join(store, `${name}.generated.ts`), source }];
}

function statements(files) {
	// The header comment would go over the wire with every query.
	const lines = files.map(({ file, text }) => {
		const sql = text.replace(/^(\s*--.*\n|\s*\n)+/, '').trim();
		return `\t${camelCase(basename(file, '.sql'))}: ${quote(sql)},\n`;
	});
	return `{\n${lines.join('')}}`;
}

function migrations(files) {
	// In the order of their numbers; a migration is never changed, so it is kept word for word.
	const lines = files.map(({ file, text }) => `\t{ id: ${quote(basename(file, '.sql'))}, sql: ${quote(text)} },\n`);
	return `[\n${lines.join('')}]`;
}

function scripts(files, folder) {
	const lines = files.map(({ file, text }) => {
		const [, name, keys] = /^(.+)-(\d+)\.lua$/.exec(file) ?? [];
		if (name === undefined) throw new Error(`${file}: the name of a Lua script ends in its number of keys, as in claim-1.lua`);
		return `\t${camelCase(name)}: { keys: ${keys}, source: ${quote(withIncludes(text, folder, new Set()))} },\n`;
	});
	return `{\n${lines.join('')}}`;
}

function withIncludes(text, folder, seen) {
	return text.replace(/^-- @include (\S+)\n/gm, (_line, name) => {
		if (seen.has(name)) return '';
		seen.add(name);
		return withIncludes(readFileSync(join(folder, 'include', `${name}.lua`), 'utf8'), folder, seen);
	});
}

function camelCase(name) {
	return name.replace(/[-_]+(.)/g, (_match, letter) => letter.toUpperCase());
}

/** A single-quoted literal, as the formatter wants it. */
function quote(text) {
	return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

module.exports = { generatedFiles, writeGeneratedFiles };
