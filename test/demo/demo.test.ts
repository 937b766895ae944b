import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { removeFolder, temporaryFolder } from '../support/servers/temporaryFolder';

const checkout = join(__dirname, '../..');
const template = join(checkout, 'templates/guard-an-http-create.json');

async function demo(...args: string[]): Promise<{ code: number | null; text: string }> {
	const child = spawn(process.execPath, [join(checkout, 'demo/run.mjs'), ...args], { cwd: checkout });
	let text = '';
	for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, text };
}

/** Lines of the table that tell of charges: without and with the ledger. */
const counts = (text: string) =>
	[...text.matchAll(/^[1-6] .{34} {2}(\S.*?) charges? +(\S.*?) charges?\b/gm)].map(([, without, withLedger]) => [without, withLedger]);

describe('npm run demo', () => {
	it('counts at the provider that the ledger stops every second charge', async () => {
		const { code, text } = await demo();
		expect({ code, text }).toMatchObject({ code: 0 });
		expect(counts(text)).toEqual([
			['2', '1'],
			['20', '1'],
			['2 and 2', '1 and 1'],
			['1', '1'],
			['2', '1'],
			['2', '1'],
		]);
		expect(text).toMatch(/^Charges too many: 24 without the ledger, 0 with it; .*\.$/m);
		expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
	});

	it('ends with 1 when the guard is none: a key that is new in every execution', async () => {
		const folder = temporaryFolder('demo');
		const broken = join(folder, 'broken.json');
		writeFileSync(broken, readFileSync(template, 'utf8').replace('={{ $json.body.orderId }}', '={{ $execution.id }}-{{ $now }}'));
		const { code, text } = await demo(broken);
		removeFolder(folder);
		expect({ code, text }).toMatchObject({ code: 1 });
		expect(counts(text)[0]).toEqual(['2', '2']);
		expect(text).toMatch(/← WRONG/);
	});
});
