import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize, sep } from 'node:path';

import { preProcessFile } from 'typescript';

const checkout = join(__dirname, '../..');

interface Import {
	from: string;
	to: string;
}

/** Everything the product imports, by paths from the checkout; packages keep their name. */
function importsOfProduct(): Import[] {
	const files = globSync('{credentials,nodes,ledger}/**/*.ts', { cwd: checkout });
	return files.flatMap((file) => {
		const { importedFiles } = preProcessFile(readFileSync(join(checkout, file), 'utf8'), true, true);
		return importedFiles.map(({ fileName }) => ({
			from: file.split(sep).join('/'),
			to: fileName.startsWith('.') ? normalize(join(dirname(file), fileName)).split(sep).join('/') : fileName,
		}));
	});
}

/** Layers from top to bottom: a file imports from its own layer or a lower one. */
const LAYERS = [/^nodes\/(?!shared\/)/, /^nodes\/shared\//, /^ledger\/index$/, /^ledger\/stores\//, /^ledger\/core\//, /^ledger\/vendor\//];
const layerOf = (path: string): number => LAYERS.findIndex((layer) => layer.test(path));
const withoutExtension = (path: string): string => path.replace(/\.ts$/, '');

const imports = importsOfProduct();
const within = imports.filter(({ to }) => layerOf(to) >= 0);
/** The credential stands beside the layers: nothing imports it, and it imports its own fields only. */
const ofCredential = ({ from, to }: Import): boolean => from.startsWith('credentials/') && to.startsWith('credentials/');
const packages = imports.filter(
	(one) => layerOf(one.to) < 0 && !ofCredential(one) && !one.to.startsWith('node:') && !builtinModules.includes(one.to),
);

/** The folder below `root` that a path is in, e.g. the store or the node. */
const partOf = (root: string, path: string): string | undefined =>
	path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/', 2)[0] : undefined;

describe('imports', () => {
	it('were found at all', () => {
		expect(within.length).toBeGreaterThan(20);
		expect(packages.map(({ to }) => to)).toContain('n8n-workflow');
	});

	it('point one way: nodes, nodes/shared, ledger/stores, ledger/core', () => {
		const upward = within.filter(({ from, to }) => {
			const layer = layerOf(withoutExtension(from));
			return layer >= 0 && layerOf(to) < layer;
		});
		expect(upward).toEqual([]);
	});

	it('of the credential lead to none of the layers', () => {
		expect(within.filter(({ from }) => from.startsWith('credentials/'))).toEqual([]);
	});

	it.each(['ledger/stores', 'nodes'])('do not cross between the parts of %s', (root) => {
		const isPart = (part: string | undefined): boolean => part !== undefined && part !== 'shared';
		const crossing = within.filter(({ from, to }) => {
			const [own, other] = [partOf(root, from), partOf(root, to)];
			// A file right below the root (openStore) knows all parts, and all parts may know it.
			const isFile = (path: string): boolean => path.split('/').length === root.split('/').length + 1;
			return isPart(own) && isPart(other) && own !== other && !isFile(from) && !isFile(to);
		});
		expect(crossing).toEqual([]);
	});

	it('name n8n-workflow only in nodes and credentials', () => {
		const named = packages.filter(({ from, to }) => to.startsWith('n8n') && from.startsWith('ledger/'));
		expect(named).toEqual([]);
	});

	it('name other packages only in ledger/vendor', () => {
		const named = packages.filter(({ from, to }) => !to.startsWith('n8n') && !from.startsWith('ledger/vendor/'));
		expect(named).toEqual([]);
	});
});
