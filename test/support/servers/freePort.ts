import { createServer, type AddressInfo } from 'node:net';

/**
 * A TCP port that was free on loopback a moment ago. Somebody else may take it before the caller
 * does, so whoever starts a server on it must be ready to ask again.
 */
export async function freePort(): Promise<number> {
	return await new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', reject);
		probe.listen(0, '127.0.0.1', () => {
			const { port } = probe.address() as AddressInfo;
			probe.close(() => resolve(port));
		});
	});
}
