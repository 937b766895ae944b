import { createServer } from 'node:net';

/**
 * A TCP port that was free on loopback a moment ago: `preferred` if it is, else any.
 *
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred = 0) {
	return await new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', (error) => {
			if (preferred === 0) reject(error);
			else resolve(freePort());
		});
		probe.listen(preferred, '127.0.0.1', () => {
			const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
			probe.close(() => resolve(address.port));
		});
	});
}
