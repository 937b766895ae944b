// Loads the package as n8n does, in a process that has nothing but it and n8n-workflow, and prints what
// it saw. Argument: the package's folder.
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const [folder] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const { n8n, dependencies, peerDependencies } = require('./package.json');

/** n8n's rule: the class is named like the file up to the first dot. */
const load = (path) => new (require(join(folder, path))[basename(path).split('.')[0]])();

const nodes = n8n.nodes.map((path) => ({ path, ...load(path).description }));
const credentials = n8n.credentials.map((path) => ({ path, ...load(path) }));
const loadedByNodes = Object.keys(require.cache).map((file) => file.slice(folder.length + 1));
const sqliteLoadedByNodes = process.moduleLoadList.includes('NativeModule sqlite');

const vendor = ['pg', 'ioredis', 'canonicalize'].map((name) => Object.keys(require(`./dist/ledger/vendor/${name}.js`)));
process.stdout.write(
	JSON.stringify({
		dependencies,
		peerDependencies,
		nodes,
		credentials,
		loadedByNodes,
		sqliteLoadedByNodes,
		vendor,
		ledger: Object.keys(require('./index.js')),
	}),
);
