import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * @typedef {{id: string, orderId?: unknown, amount?: unknown, currency?: unknown, status: string, idempotencyKey?: string}} Charge
 */

/**
 * A pretend payment service on loopback. Like too many real ones it charges whenever it is asked to:
 * it reads the Idempotency-Key only to show it. POST /charges charges, GET /charges lists.
 *
 * @param {{port?: number, onCharge?: (charge: Charge, count: number) => void}} [options]
 * @returns {Promise<{url: string, port: number, charges: Charge[], stop(): Promise<void>}>}
 */
export async function startPretendPayments({ port = 0, onCharge = () => {} } = {}) {
	/** @type {Charge[]} */
	const charges = [];
	const server = createServer(async (request, response) => {
		const answer = (/** @type {number} */ status, /** @type {unknown} */ body) => {
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		};
		if (request.url !== '/charges') return answer(404, { error: 'There is only /charges here.' });
		if (request.method === 'GET') return answer(200, charges);
		if (request.method !== 'POST') return answer(405, { error: 'POST charges, GET lists.' });
		const order = parse(await bodyOf(request));
		if (!order) return answer(400, { error: 'A charge is a JSON object.' });
		const { orderId, amount, currency } = order;
		const key = request.headers['idempotency-key'];
		// Never the same twice, over restarts too: the ledger takes one ID under two keys for an anomaly.
		const id = `ch_${randomBytes(6).toString('hex')}`;
		/** @type {Charge} */
		const charge = { id, orderId, amount, currency, status: 'charged' };
		charges.push(typeof key === 'string' ? { ...charge, idempotencyKey: key } : charge);
		onCharge(charges[charges.length - 1], charges.length);
		return answer(201, charge);
	});
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve(undefined));
	});
	const address = /** @type {import('node:net').AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${address.port}/charges`,
		port: address.port,
		charges,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
	let text = '';
	for await (const chunk of request) text += chunk;
	return text;
}

/**
 * @param {string} text
 * @returns {Record<string, unknown> | undefined}
 */
function parse(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
