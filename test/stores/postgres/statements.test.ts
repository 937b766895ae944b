import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../../ledger/stores/postgres/sql');

describe.each(readdirSync(folder))('sql/%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const header = /^(--.*\n)+/.exec(text)?.[0] ?? '';
	const body = text.slice(header.length);
	const numbers = (of: string) => [...new Set([...of.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)))].sort((a, b) => a - b);

	test('has a header: purpose, parameters, what it returns', () => {
		expect(header).toMatch(/^-- Purpose: /);
		expect(header).toMatch(/^-- Parameters[ :]/m);
		expect(header).toMatch(/^-- Returns: /m);
	});

	test('names in the header exactly the parameters it takes', () => {
		expect(numbers(header)).toEqual(numbers(body));
		expect(numbers(body)).toEqual(numbers(body).map((_number, index) => index + 1));
	});

	test('is one statement', () => {
		expect(body.replace(/--.*$/gm, '')).not.toContain(';');
	});
});
