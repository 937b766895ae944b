import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { IdempotencyLookup } from '../../../nodes/IdempotencyLookup/IdempotencyLookup.node';
import { startPostgres, type PostgresServer } from '../../support/servers/startPostgres';
import { removeFolder, temporaryFolder } from '../../support/servers/temporaryFolder';

/** As n8n calls it: the function of whichever node's description names it. */
async function press(data: ICredentialDataDecryptedObject) {
	const node = new IdempotencyClaim();
	const [{ testedBy }] = node.description.credentials!;
	const test = node.methods.credentialTest[testedBy as 'ledgerConnectionTest'];
	return await test.call({} as ICredentialTestFunctions, { id: '', name: 'Ledger', type: 'idempotencyLedgerApi', data });
}

/** The suite's own server doesn't flush to disk, which the Test button rightly refuses. */
let durable: PostgresServer;
beforeAll(async () => void (durable = await startPostgres({ durable: true })));
afterAll(async () => await durable.dispose());

function postgres(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
	const url = new URL(durable.url);
	return {
		store: 'postgres',
		postgresHost: url.hostname,
		postgresPort: Number(url.port),
		postgresDatabase: url.pathname.slice(1),
		postgresUser: decodeURIComponent(url.username),
		postgresPassword: decodeURIComponent(url.password),
		postgresTablePrefix: `t${randomUUID().slice(0, 8)}_`,
		...changes,
	};
}

function redis(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
	const url = new URL(process.env.LEDGER_TEST_REDIS_URL!);
	return {
		store: 'redis',
		redisHost: url.hostname,
		redisPort: Number(url.port),
		redisUser: decodeURIComponent(url.username),
		redisPassword: decodeURIComponent(url.password),
		redisKeyPrefix: `t${randomUUID().slice(0, 8)}`,
		...changes,
	};
}

describe('the Test button of the credential', () => {
	let folder: string;
	const before = { ...process.env };

	beforeEach(() => {
		folder = temporaryFolder('test-button');
		mkdirSync(join(folder, '.n8n'));
		process.env.N8N_USER_FOLDER = folder;
		delete process.env.EXECUTIONS_MODE;
	});

	afterEach(() => {
		removeFolder(folder);
		process.env.N8N_USER_FOLDER = before.N8N_USER_FOLDER;
		delete process.env.EXECUTIONS_MODE;
	});

	it('every node brings it, so that n8n finds it', () => {
		for (const node of [new IdempotencyClaim(), new IdempotencyLookup()]) {
			const [{ name, testedBy }] = node.description.credentials!;
			expect(name).toBe('idempotencyLedgerApi');
			expect(node.methods.credentialTest).toHaveProperty(testedBy as string);
		}
	});

	it('embedded: OK, with the version', async () => {
		const { status, message } = await press({});
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/SQLite \d/) });
		expect(message).toContain('A test claim was made and released.');
	});

	it('embedded in queue mode: refused, with what to do', async () => {
		process.env.EXECUTIONS_MODE = 'queue';
		const refused = await press({});
		expect(refused.status).toBe('Error');
		expect(refused.message).toMatch(/queue mode/);
		expect((await press({ embeddedShared: true })).status).toBe('OK');
	});

	it('embedded, and the file isn’t a ledger: Error', async () => {
		writeFileSync(join(folder, '.n8n', 'other.db'), 'not a database at all, but long enough to be looked at as one');
		const { status, message } = await press({ embeddedFileName: 'other.db' });
		expect(status).toBe('Error');
		expect(message).toMatch(/\w/);
	});

	it('a field that can’t be used is named', async () => {
		expect(await press({ store: 'postgres', postgresPort: 0 })).toEqual({
			status: 'Error',
			message: 'Port in the Idempotency Ledger credential must be a whole number from 1 to 65535. Correct the credential field named in the message.',
		});
	});

	it('PostgreSQL: OK, with version and role; the throw-away key is gone', async () => {
		const { status, message } = await press(postgres());
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/PostgreSQL \d+/) });
	});

	it('PostgreSQL without tables and Create Tables off: Error that says so', async () => {
		const { status, message } = await press(postgres({ postgresCreateTables: false }));
		expect(status).toBe('Error');
		expect(message).toMatch(/table/i);
	});

	it('PostgreSQL without that database: Error, and no password in the text', async () => {
		const { status, message } = await press(postgres({ postgresDatabase: 'nowhere', postgresPassword: 'hunter2secret' }));
		expect(status).toBe('Error');
		expect(message).toMatch(/nowhere/);
		expect(message).not.toContain('hunter2secret');
	});

	it('Redis: OK or what would break a guarantee, in words', async () => {
		const { status, message } = await press(redis());
		expect({ status, message }).toEqual({ status: 'OK', message: expect.stringMatching(/Redis|Valkey/) });
	});

	it('nobody listens: Error', async () => {
		for (const data of [postgres({ postgresPort: 9 }), redis({ redisPort: 9 })]) {
			const { status, message } = await press({ ...data, connectTimeoutSeconds: 1 });
			expect(status).toBe('Error');
			expect(message).toMatch(/127\.0\.0\.1|localhost|reach|connect/i);
		}
	});

	it('a server that accepts and says nothing doesn’t hang it', async () => {
		const silent = createServer(() => {}).listen(0, '127.0.0.1');
		await new Promise((resolve) => silent.once('listening', resolve));
		const { port } = silent.address() as AddressInfo;
		const timeouts = { connectTimeoutSeconds: 1, commandTimeoutSeconds: 1 };
		const started = Date.now();
		const results = await Promise.all([
			press(postgres({ postgresHost: '127.0.0.1', postgresPort: port, ...timeouts })),
			press(redis({ redisHost: '127.0.0.1', redisPort: port, ...timeouts })),
		]);
		silent.close();
		expect(results.map(({ status }) => status)).toEqual(['Error', 'Error']);
		expect(Date.now() - started).toBeLessThan(15_000);
	});
});
