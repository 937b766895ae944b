/**
 * The nodes leave their ledgers open for the next execution. A test file ends like a process: what is
 * still open would keep Jest's worker from ending.
 */
const REGISTRY = Symbol.for('n8n-nodes-idempotency.ledgers');

afterAll(async () => {
	const registries = (globalThis as { [REGISTRY]?: Record<number, Map<string, { close(): Promise<void> }>> })[REGISTRY] ?? {};
	for (const ledgers of Object.values(registries)) {
		await Promise.all([...ledgers.values()].map(async (ledger) => await ledger.close()));
	}
});
