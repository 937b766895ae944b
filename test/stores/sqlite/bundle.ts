import { join } from 'node:path';

import { buildSync } from 'esbuild';

/** A script of ours as one JavaScript file that any Node.js runs; returns its path. */
export function bundled(contents: string, folder: string): string {
	const outfile = join(folder, 'script.js');
	buildSync({
		stdin: { contents, resolveDir: join(__dirname, '../../..'), loader: 'ts' },
		outfile,
		bundle: true,
		platform: 'node',
		logLevel: 'error',
	});
	return outfile;
}
