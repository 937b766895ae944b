import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { SqliteStore } from '../../../ledger/stores/sqlite/SqliteStore';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';
import { sqliteSettings } from '../../support/subjects/sqlite';
import { bundled } from './bundle';
import { claimOf } from './commands';

const KEYS = Array.from({ length: 200 }, (_, number) => `order ${number}`);

/** Claims all keys of its first argument, in batches of so many, after a line on stdin; tells which it got. */
const WORKER = `
	import { SqliteStore } from './ledger/stores/sqlite/SqliteStore';
	import { claimOf } from './test/stores/sqlite/commands';
	const { settings, keys, batch, name } = JSON.parse(process.argv[2]);
	const store = new SqliteStore(settings);
	process.stdin.once('data', async () => {
		const claimed = [];
		for (let from = 0; from < keys.length; from += batch) {
			const commands = keys.slice(from, from + batch).map((key) => claimOf(key, { token: name + ' ' + key }));
			const answers = await store.claim(commands);
			answers.forEach((answer, index) => answer.outcome === 'claimed' && claimed.push(keys[from + index]));
		}
		await store.close();
		console.log(JSON.stringify(claimed));
		process.exit(0);
	});
	process.stdout.write('ready\\n');
`;

async function claimedBy(script: string, work: { batch: number; name: string; keys: string[]; folder: string }) {
	const settings = sqliteSettings(work.folder, { queueMode: true, shared: true });
	const child = spawn(process.execPath, [script, JSON.stringify({ ...work, settings })]);
	const stderr = text(child.stderr);
	const [ready] = (await once(child.stdout, 'data')) as [Buffer];
	expect(String(ready)).toBe('ready\n');
	return async () => {
		child.stdin.write('go\n');
		const output = await text(child.stdout as Readable);
		expect(await stderr).toBe('');
		return JSON.parse(output) as string[];
	};
}

describe.each([1, 7, 200])('Two processes race for 200 keys in batches of %d, in opposite order', (batch) => {
	test('each key is claimed once, and the file remembers by whom', async () => {
		const folder = temporaryFolder('sqlite-race');
		const script = bundled(WORKER, folder);
		const goes = await Promise.all([
			claimedBy(script, { batch, folder, name: 'one', keys: KEYS }),
			claimedBy(script, { batch, folder, name: 'two', keys: [...KEYS].reverse() }),
		]);
		// Both meet the missing file: they race for making it as well.
		const [one, two] = await Promise.all(goes.map((go) => go()));
		expect([...one, ...two].sort()).toEqual([...KEYS].sort());

		const store = new SqliteStore(sqliteSettings(folder));
		const { records } = await store.get(KEYS.map((key) => claimOf(key).key));
		const owners = new Map([...one.map((key) => [key, 'one'] as const), ...two.map((key) => [key, 'two'] as const)]);
		expect(records.map((record) => record?.token)).toEqual(KEYS.map((key) => `${owners.get(key)} ${key}`));
		expect(records.every((record) => record?.counters.duplicates === 1)).toBe(true);
		await store.close();
		removeFolder(folder);
	});
});
