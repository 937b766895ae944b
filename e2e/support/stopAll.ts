import './startAll';

/** Jest's globalTeardown: ends what this run started, and nothing else. */
export default async function stopAll(): Promise<void> {
	for (const end of globalThis.e2eStarted?.endings ?? []) await end();
}
