/** How to reach a store. What the nodes make of the credential; plain values, checked by the store. */
export interface TlsSettings {
	enabled: boolean;
	/** false accepts any certificate: only for tests */
	verify: boolean;
	/** PEM texts, or null */
	ca: string | null;
	certificate: string | null;
	key: string | null;
	passphrase: string | null;
	/** name to verify instead of the host, or null */
	serverName: string | null;
}

interface TimeOuts {
	/** time for a new connection, ms */
	connectTimeoutMs: number;
	/** time for one command, ms */
	commandTimeoutMs: number;
}

export interface PostgresSettings extends TimeOuts {
	kind: 'postgres';
	host: string;
	port: number;
	database: string;
	user: string;
	password: string;
	schema: string;
	tablePrefix: string;
	tls: TlsSettings;
	maxConnections: number;
	/** create or migrate the tables on first use */
	createTables: boolean;
}

export interface RedisSettings extends TimeOuts {
	kind: 'redis';
	mode: 'standalone' | 'sentinel' | 'cluster';
	/** standalone: one; sentinel: the sentinels; cluster: start nodes */
	nodes: Array<{ host: string; port: number }>;
	sentinelName: string;
	sentinelUser: string;
	sentinelPassword: string;
	user: string;
	password: string;
	/** 0 in a cluster */
	database: number;
	keyPrefix: string;
	tls: TlsSettings;
	/** replicas that must have each write before it is answered; 0 = none */
	waitForReplicas: number;
}

export interface SqliteSettings extends TimeOuts {
	kind: 'sqlite';
	/** absolute folder the file lives in: n8n's own */
	folder: string;
	/** a file name, never a path */
	fileName: string;
	/** n8n runs in queue mode */
	queueMode: boolean;
	/** the user promises that main and all workers see the same file */
	shared: boolean;
}

export interface MemorySettings {
	kind: 'memory';
}

export type StoreSettings = PostgresSettings | RedisSettings | SqliteSettings | MemorySettings;
