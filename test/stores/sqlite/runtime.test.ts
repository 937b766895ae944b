import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { bundled } from './bundle';

const SCRIPT = `
	import { SqliteStore } from './ledger/stores/sqlite/SqliteStore';
	import { claimOf } from './test/stores/sqlite/commands';
	const { getBuiltinModule } = process;
	if (process.argv[3] === 'old') process.getBuiltinModule = () => undefined;
	if (process.argv[3] === 'warns') {
		process.getBuiltinModule = (name) => {
			process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
			return getBuiltinModule(name);
		};
	}
	try {
		const store = new SqliteStore(JSON.parse(process.argv[2]));
		store.claim([claimOf('1')]).then(([answer]) => console.log(answer.outcome));
		if (process.argv[3] === 'warns') process.emitWarning('of somebody else');
	} catch (error) {
		console.log(error.code + ': ' + error.message);
	}
`;

let folder: string;
let script: string;
beforeAll(() => {
	folder = temporaryFolder('sqlite-runtime');
	script = bundled(SCRIPT, folder);
});
afterAll(() => removeFolder(folder));

const run = (node: string, ...args: string[]) =>
	spawnSync(node, [script, JSON.stringify(sqliteSettings(folder)), ...args], { encoding: 'utf8', timeout: 20_000 });

/** Every other Node.js on the PATH; a machine that has none is served by the test below. */
const others = [...new Set((process.env.PATH ?? '').split(delimiter))]
	.map((entry) => join(entry, 'node'))
	.filter((node) => existsSync(node))
	.map((node) => ({ node, version: spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim() }));

describe('The SQLite of Node.js', () => {
	test('is used without a word on stderr', () => {
		expect(run(process.execPath)).toMatchObject({ stdout: 'claimed\n', stderr: '' });
	});

	test('also where loading it warns (Node.js 22), and no other warning is lost', () => {
		const { stdout, stderr } = run(process.execPath, 'warns');
		expect(stdout).toBe('claimed\n');
		expect(stderr).toContain('of somebody else');
		expect(stderr).not.toContain('experimental');
	});

	test('where it is missing, the error says which Node.js is needed and which runs', () => {
		const { stdout, stderr } = run(process.execPath, 'old');
		expect(stdout).toBe(
			`RUNTIME_TOO_OLD: The embedded ledger needs Node.js 22.13 or newer; n8n runs on Node.js ${process.versions.node}\n`,
		);
		expect(stderr).toBe('');
	});

	test('the Node.js installations of this machine have it or say so', () => {
		for (const { node, version } of others) {
			const [major, minor] = version.slice(1).split('.').map(Number);
			const recent = major > 22 || (major === 22 && minor >= 13);
			const { stdout, stderr } = run(node);
			// The token is the same in every run, so each gets the claim.
			expect(`${version} ${stdout}${stderr}`).toBe(
				recent
					? `${version} claimed\n`
					: `${version} RUNTIME_TOO_OLD: The embedded ledger needs Node.js 22.13 or newer; n8n runs on Node.js ${version.slice(1)}\n`,
			);
		}
		expect(others.length).toBeGreaterThan(0);
	});
});
