import { MemoryStore } from '../../../ledger/stores/memory/MemoryStore';
import type { Subject } from '../subject';

export const memory: Subject = {
	name: 'memory',
	async open() {
		const store = new MemoryStore();
		return {
			store,
			another: async () => new MemoryStore(store.records),
			put: async (record) => void store.records.set(record.key, structuredClone(record)),
			close: () => store.close(),
		};
	},
};
