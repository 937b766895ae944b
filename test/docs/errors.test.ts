import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { LEDGER_ERRORS } from '../../ledger/core/errors';

/** docs/errors.md is the table in ledger/core/errors.ts, for people. `UPDATE_DOCS=1 npm test -- test/docs` writes it. */
const page = join(__dirname, '..', '..', 'docs', 'errors.md');
const BEGIN = '<!-- the table is made from ledger/core/errors.ts -->';
const END = '<!-- end of the table -->';

function table(): string {
	const rows = Object.entries(LEDGER_ERRORS).map(
		([code, { retryable, advice }]) => `| \`${code}\` | ${retryable ? 'yes' : 'no'} | ${advice.replace(/\|/g, '\\|')} |`,
	);
	return [BEGIN, '', '| code | may pass by itself | what to do |', '|---|---|---|', ...rows, '', END].join('\n');
}

it('docs/errors.md lists every error with what to do about it', () => {
	const text = readFileSync(page, 'utf8');
	const [before, after] = [text.slice(0, text.indexOf(BEGIN)), text.slice(text.indexOf(END) + END.length)];
	const fresh = before + table() + after;
	if (process.env.UPDATE_DOCS === '1') writeFileSync(page, fresh);
	expect(readFileSync(page, 'utf8')).toBe(fresh);
});
