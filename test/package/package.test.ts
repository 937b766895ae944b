import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { buildIfStale } from '../../scripts/n8n/buildIfStale.mjs';
import { packPackage } from '../../scripts/n8n/packPackage.mjs';
import { removeFolder, temporaryFolder } from '../support/servers/temporaryFolder';

const MEGABYTE = 1_000_000;

interface Loaded {
	dependencies?: Record<string, string>;
	peerDependencies: Record<string, string>;
	nodes: Array<{ path: string; name: string; outputNames: string[]; icon: { light: string; dark: string } }>;
	credentials: Array<{ path: string; name: string; icon: { light: string; dark: string } }>;
	loadedByNodes: string[];
	sqliteLoadedByNodes: boolean;
	vendor: string[][];
	ledger: string[];
}

let place: string;
let folder: string;
let packed: Awaited<ReturnType<typeof packPackage>>;
let loaded: Loaded;

beforeAll(async () => {
	await buildIfStale({ task: 'dist' });
	packed = await packPackage();
	// realpath'd by temporaryFolder: what the package resolves is in here or nowhere.
	place = temporaryFolder('package');
	const modules = join(place, 'node_modules');
	folder = join(modules, 'n8n-nodes-idempotency');
	mkdirSync(modules);
	cpSync(packed.folder, folder, { recursive: true });
	const workflow = dirname(require.resolve('n8n-workflow/package.json'));
	symlinkSync(workflow, join(modules, 'n8n-workflow'));
	const script = join(__dirname, 'loadBeside.mjs');
	loaded = JSON.parse(execFileSync(process.execPath, [script, folder], { encoding: 'utf8', cwd: place }));
}, 120_000);

afterAll(async () => {
	removeFolder(place);
	await packed.remove();
});

describe('what npm publishes', () => {
	it('is what a user needs, and nothing else', () => {
		const expected = /^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|index\.js|dist\/(credentials|nodes|ledger|icons)\/.+\.(js|json|svg|sql|txt))$/;
		expect(packed.files.filter((file) => !expected.test(file))).toEqual([]);
		expect(packed.files).toEqual(expect.arrayContaining(['README.md', 'LICENSE.md', 'index.js']));
		expect(packed.files.filter((file) => /\.(test|spec)\.|\/test\//.test(file))).toEqual([]);
	});

	it('has the codex file and the icons of every node and credential', () => {
		for (const { path, icon } of [...loaded.nodes, ...loaded.credentials]) {
			for (const variant of [icon.light, icon.dark]) {
				expect(packed.files).toContain(join(dirname(path), variant.replace(/^file:/, '')));
			}
		}
		for (const { path } of loaded.nodes) expect(packed.files).toContain(path.replace(/\.js$/, '.json'));
	});

	it('has the SQL for a database administrator and the licences of what is bundled', () => {
		expect(packed.files.some((file) => /^dist\/ledger\/stores\/postgres\/migrations\/.+\.sql$/.test(file))).toBe(true);
		expect(packed.files).toContain('dist/ledger/vendor/LICENSES.txt');
	});

	it('is below a megabyte', () => {
		expect(packed.unpackedSize).toBeLessThan(MEGABYTE);
	});
});

describe('the package beside n8n-workflow only', () => {
	it('asks for no other package', () => {
		expect(Object.keys(loaded.dependencies ?? {})).toEqual([]);
		expect(loaded.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
	});

	it('has the four nodes with their outputs, the good way first', () => {
		expect(loaded.nodes.map(({ name, outputNames }) => ({ name, outputNames }))).toEqual([
			{ name: 'idempotencyClaim', outputNames: ['Claimed', 'Done Before', 'In Progress', 'Review'] },
			{ name: 'idempotencySeal', outputNames: ['Sealed', 'Retry', 'Failed', 'Review'] },
			{ name: 'idempotencyLookup' },
			{ name: 'idempotencyLedgerTrigger' },
		]);
	});

	it('has the credential', () => {
		expect(loaded.credentials.map(({ name }) => name)).toEqual(['idempotencyLedgerApi']);
	});

	it('loads no driver before a ledger is used', () => {
		expect(loaded.loadedByNodes).toContain('dist/nodes/IdempotencyClaim/IdempotencyClaim.node.js');
		expect(loaded.loadedByNodes.filter((file) => /vendor\/(pg|ioredis)\.js$/.test(file))).toEqual([]);
		expect(loaded.sqliteLoadedByNodes).toBe(false);
	});

	it('brings its libraries along', () => {
		const [pg, ioredis, canonicalize] = loaded.vendor;
		expect(pg).toContain('Pool');
		expect(ioredis).toContain('Redis');
		expect(canonicalize).toEqual(['canonicalize']);
	});

	it('offers the ledger to scripts', () => {
		expect(loaded.ledger).toContain('openStore');
	});
});
