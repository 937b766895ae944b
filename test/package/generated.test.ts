import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { generatedFiles } from '../../scripts/embedStatements';

const checkout = `${__dirname}/../..`;

describe('the generated files', () => {
	const files = generatedFiles();

	it('are there for SQL, migrations and Lua', () => {
		expect(files.map(({ path }) => relative(checkout, path))).toEqual(
			expect.arrayContaining([
				'ledger/stores/postgres/statements.generated.ts',
				'ledger/stores/postgres/migrations.generated.ts',
				'ledger/stores/redis/scripts.generated.ts',
				'ledger/stores/sqlite/statements.generated.ts',
			]),
		);
	});

	it.each(files.map(({ path, source }) => ({ file: relative(checkout, path), path, source })))(
		'$file is fresh (else: npm run generate)',
		({ path, source }) => {
			// Not toBe(source): the difference between two very long lines helps nobody.
			expect(existsSync(path) && readFileSync(path, 'utf8') === source).toBe(true);
		},
	);
});
