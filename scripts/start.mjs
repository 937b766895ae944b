// npm start: a real n8n on this machine, with this package installed and an example to try it on.
// `npm start -- --fresh` forgets what an earlier start left in .state/.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildIfStale } from './n8n/buildIfStale.mjs';
import { ensureN8n } from './n8n/ensureN8n.mjs';
import { webhookPath } from './n8n/exampleWorkflow.mjs';
import { freePort } from './n8n/freePort.mjs';
import { furnish } from './n8n/furnish.mjs';
import { tryLock } from './n8n/lock.mjs';
import { LOCAL_OWNER } from './n8n/N8nClient.mjs';
import { packPackage } from './n8n/packPackage.mjs';
import { startN8n } from './n8n/startN8n.mjs';
import { startPretendPayments } from './pretendPayments.mjs';

const PREFERRED_PORT = 5678;
const PREFERRED_PAYMENTS_PORT = 5690;

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const state = join(checkout, '.state');
const userFolder = join(state, 'n8n');
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** What has to be ended, in this order. @type {Array<() => Promise<void>>} */
const endings = [];
let ending = false;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
	process.on(signal, async () => {
		// Ctrl-C comes twice: from the terminal and from withNode24.mjs.
		if (ending) return;
		ending = true;
		say('\nStopping …');
		for (const end of endings) await end().catch(() => {});
		process.exit(0);
	});
}

try {
	await main();
} catch (error) {
	if (!ending) {
		process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
		for (const end of endings) await end().catch(() => {});
		process.exit(1);
	}
}

async function main() {
	mkdirSync(state, { recursive: true });
	const lock = tryLock(join(state, 'start.lock'));
	if (!lock) throw new Error('Another "npm start" of this checkout is running. End it first (Ctrl-C there).');
	endings.push(async () => lock.release());
	const isNew = process.argv.includes('--fresh') || !existsSync(userFolder);
	if (isNew) rmSync(userFolder, { recursive: true, force: true });

	await buildIfStale({ onProgress: say });
	await ensureN8n({ onProgress: say });
	const packed = await packPackage();
	endings.push(packed.remove);

	const payments = await startPretendPayments({
		port: await freePort(PREFERRED_PAYMENTS_PORT),
		onCharge: ({ id, orderId, amount, currency }, count) =>
			say(`[payment service] charge ${count}: ${id}, order ${orderId}, ${amount} ${currency}`),
	});
	endings.unshift(payments.stop);

	say(isNew ? 'Starting n8n for the first time (half a minute) …' : 'Starting n8n …');
	const port = await freePort(PREFERRED_PORT);
	const n8n = await startN8n({ userFolder, port, packageFolder: packed.folder });
	endings.unshift(n8n.stop);
	const { workflow } = await furnish({ url: n8n.url, paymentsUrl: payments.url, onProgress: say });
	explain(port, workflow, payments.url);
	await n8n.ended;
	if (!ending) throw new Error(`n8n ended by itself:\n${n8n.log().slice(-2_000)}`);
}

/**
 * @param {number} port
 * @param {import('./n8n/N8nClient.mjs').Workflow} workflow
 * @param {string} paymentsUrl
 */
function explain(port, workflow, paymentsUrl) {
	const order = JSON.stringify({ orderId: 'A-1001', amount: 4990, currency: 'EUR' });
	const address = `http://localhost:${port}`;
	say(`
n8n is ready:   ${address}/workflow/${workflow.id}
Log in with:    ${LOCAL_OWNER.email} / ${LOCAL_OWNER.password}

Send the same order twice. The first is charged, the second gets the stored answer:

  curl -X POST ${address}/webhook/${webhookPath(workflow.nodes)} -H 'Content-Type: application/json' -d '${order}'

Charges the pretend payment service made: ${paymentsUrl}
Ctrl-C ends everything; what you change in n8n stays for the next start ("npm start -- --fresh" begins anew).
`);
}
