import { buildIfStale } from '../../scripts/n8n/buildIfStale.mjs';
import { ensureN8n } from '../../scripts/n8n/ensureN8n.mjs';
import { N8nClient } from '../../scripts/n8n/N8nClient.mjs';
import { packPackage } from '../../scripts/n8n/packPackage.mjs';
import { startN8n } from '../../scripts/n8n/startN8n.mjs';
import { startPostgres } from '../../test/support/servers/startPostgres';
import { startRedis } from '../../test/support/servers/startRedis';
import { removeFolder, temporaryFolder } from '../../test/support/servers/temporaryFolder';
import { ensureChromium } from './ensureChromium';

declare global {
	/** What this run started, for stopAll.ts and LogTailReporter.js; in the order of ending it. */
	var e2eStarted: { endings: Array<() => Promise<void>>; log: () => string } | undefined;
}

type Started = NonNullable<typeof globalThis.e2eStarted>;

/** Jest's globalSetup: the package as npm would publish it in one n8n, with one server of each kind. */
export default async function startAll(): Promise<void> {
	const started: Started = { endings: [], log: () => '' };
	globalThis.e2eStarted = started;
	try {
		await start(started);
	} catch (error) {
		// Jest runs no teardown after a setup that failed.
		for (const end of started.endings) await end().catch(() => {});
		throw error;
	}
}

async function start(started: Started): Promise<void> {
	const say = (line: string) => process.stderr.write(`${line}\n`);

	ensureChromium(say);
	await buildIfStale({ task: 'dist', onProgress: say });
	await ensureN8n({ onProgress: say });

	const postgres = await startPostgres({ password: 'postgres-secret', durable: true });
	started.endings.unshift(async () => await postgres.dispose());
	const redis = await startRedis({ password: 'redis-secret', config: { appendonly: 'yes', appendfsync: 'no' } });
	started.endings.unshift(async () => await redis.dispose());

	const packed = await packPackage();
	started.endings.unshift(packed.remove);
	const userFolder = temporaryFolder('e2e');
	started.endings.unshift(async () => removeFolder(userFolder));
	say('Starting n8n …');
	// Or it asks n8n's list of verified packages, which tests can't reach.
	const env = { N8N_VERIFIED_PACKAGES_ENABLED: 'false' };
	const n8n = await startN8n({ userFolder, packageFolder: packed.folder, env });
	started.endings.unshift(n8n.stop);
	started.log = n8n.log;

	const client = new N8nClient(n8n.url);
	await client.ensureOwner();
	Object.assign(process.env, {
		E2E_N8N_URL: n8n.url,
		// One log-in for all: n8n limits how often one may log in.
		E2E_N8N_COOKIE: client.cookie,
		LEDGER_TEST_POSTGRES_URL: postgres.url,
		LEDGER_TEST_REDIS_URL: redis.url,
	});
}
