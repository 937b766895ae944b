import './startServers';

/** Jest's globalTeardown: stops and removes what this run started, and nothing else. */
export default async function stopServers(): Promise<void> {
	await Promise.all((globalThis.ledgerTestServers ?? []).map((server) => server.dispose()));
}
