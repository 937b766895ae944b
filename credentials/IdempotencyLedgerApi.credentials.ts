import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

const embedded = { show: { store: ['embedded'] } };
const postgres = { show: { store: ['postgres'] } };
const redis = { show: { store: ['redis'] } };

/** The TLS fields of one server; each store has its own, so that a value survives switching stores. */
function tlsFields(store: 'postgres' | 'redis'): INodeProperties[] {
	const shown = { show: { store: [store], [`${store}Tls`]: [true] } };
	return [
		{
			displayName: 'TLS',
			name: `${store}Tls`,
			type: 'boolean',
			default: false,
			description: 'Whether to encrypt the connection to the server',
			displayOptions: { show: { store: [store] } },
		},
		{
			displayName: 'CA Certificate',
			name: `${store}CaCertificate`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Certificate of the authority that signed the server’s certificate, in PEM format',
			hint: 'Leave blank for a server with a publicly trusted certificate',
			displayOptions: shown,
		},
		{
			displayName: 'Client Certificate',
			name: `${store}ClientCertificate`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Certificate that identifies n8n to the server, in PEM format',
			hint: 'Only for servers that ask for one',
			displayOptions: shown,
		},
		{
			displayName: 'Client Private Key',
			name: `${store}ClientPrivateKey`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Private key that belongs to the client certificate, in PEM format',
			displayOptions: shown,
		},
		{
			displayName: 'Private Key Passphrase',
			name: `${store}PrivateKeyPassphrase`,
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Passphrase of the private key, if it has one',
			displayOptions: shown,
		},
		{
			displayName: 'Server Name',
			name: `${store}TlsServerName`,
			type: 'string',
			default: '',
			placeholder: 'e.g. db.example.com',
			description: 'Name to look for in the server’s certificate, if it is not the host',
			displayOptions: shown,
		},
		{
			displayName: 'Disable TLS Verification (Insecure)',
			name: `${store}DisableTlsVerification`,
			type: 'boolean',
			default: false,
			description: 'Whether to accept any certificate. Anybody in between can then read and change the ledger.',
			displayOptions: shown,
		},
	];
}

const embeddedFields: INodeProperties[] = [
	{
		displayName:
			'The ledger is a SQLite file in the n8n user folder. It needs Node.js 22.13 or newer and one n8n process. For queue mode or several n8n instances choose PostgreSQL or Redis.',
		name: 'embeddedNotice',
		type: 'notice',
		default: '',
		displayOptions: embedded,
	},
	{
		displayName: 'File Name',
		name: 'embeddedFileName',
		type: 'string',
		default: 'idempotency-ledger.sqlite',
		required: true,
		description: 'Name of the file in the n8n user folder. A name, not a path.',
		hint: 'In Docker, the user folder has to be on a volume, or the ledger is lost with the container',
		displayOptions: embedded,
	},
	{
		displayName: 'All Processes Share This File',
		name: 'embeddedShared',
		type: 'boolean',
		default: false,
		description:
			'Whether main, webhook and worker processes all run on one machine and see the same n8n user folder. Without that each would keep a ledger of its own, and duplicates would go through.',
		displayOptions: embedded,
	},
];

const postgresFields: INodeProperties[] = [
	{
		displayName: 'Host',
		name: 'postgresHost',
		type: 'string',
		default: 'localhost',
		required: true,
		description: 'Host of the primary server',
		hint: 'PgBouncer works in transaction mode too. A standby is refused.',
		displayOptions: postgres,
	},
	{
		displayName: 'Port',
		name: 'postgresPort',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 65535 },
		default: 5432,
		displayOptions: postgres,
	},
	{
		displayName: 'Database',
		name: 'postgresDatabase',
		type: 'string',
		default: 'postgres',
		required: true,
		displayOptions: postgres,
	},
	{
		displayName: 'User',
		name: 'postgresUser',
		type: 'string',
		default: 'postgres',
		required: true,
		displayOptions: postgres,
	},
	{
		displayName: 'Password',
		name: 'postgresPassword',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: postgres,
	},
	...tlsFields('postgres'),
	{
		displayName: 'Schema',
		name: 'postgresSchema',
		type: 'string',
		default: 'public',
		required: true,
		description: 'Schema that holds the tables of the ledger',
		displayOptions: postgres,
	},
	{
		displayName: 'Table Prefix',
		name: 'postgresTablePrefix',
		type: 'string',
		default: 'idempotency_',
		description: 'What the names of the tables begin with. Another prefix is another ledger.',
		displayOptions: postgres,
	},
	{
		displayName: 'Create Tables',
		name: 'postgresCreateTables',
		type: 'boolean',
		default: true,
		description:
			'Whether to create and update the tables on first use. Switch it off if a DBA runs the migrations, which ship with this package.',
		displayOptions: postgres,
	},
	{
		displayName: 'Max Connections',
		name: 'postgresMaxConnections',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 5,
		description:
			'Most connections that one n8n process opens. Times the number of processes, it has to stay below the limit of the server.',
		displayOptions: postgres,
	},
];

const redisFields: INodeProperties[] = [
	{
		displayName:
			'The ledger is only as durable as the server: set maxmemory-policy to noeviction and switch persistence on (appendonly yes). The Test button checks both.',
		name: 'redisNotice',
		type: 'notice',
		default: '',
		displayOptions: redis,
	},
	{
		displayName: 'Mode',
		name: 'redisMode',
		type: 'options',
		options: [
			{ name: 'Standalone', value: 'standalone', description: 'One server, Redis or Valkey' },
			{ name: 'Sentinel', value: 'sentinel', description: 'Sentinels name the current primary' },
			{ name: 'Cluster', value: 'cluster', description: 'Keys are spread over several primaries' },
		],
		default: 'standalone',
		displayOptions: redis,
	},
	{
		displayName: 'Host',
		name: 'redisHost',
		type: 'string',
		default: 'localhost',
		required: true,
		displayOptions: { show: { store: ['redis'], redisMode: ['standalone'] } },
	},
	{
		displayName: 'Port',
		name: 'redisPort',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 65535 },
		default: 6379,
		displayOptions: { show: { store: ['redis'], redisMode: ['standalone'] } },
	},
	{
		displayName: 'Sentinels',
		name: 'redisSentinels',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. sentinel-1:26379, sentinel-2:26379',
		description: 'Host and port of the sentinels, separated by commas. The port defaults to 26379.',
		displayOptions: { show: { store: ['redis'], redisMode: ['sentinel'] } },
	},
	{
		displayName: 'Master Name',
		name: 'redisSentinelName',
		type: 'string',
		default: 'mymaster',
		required: true,
		description: 'Name under which the sentinels watch the primary',
		displayOptions: { show: { store: ['redis'], redisMode: ['sentinel'] } },
	},
	{
		displayName: 'Sentinel User',
		name: 'redisSentinelUser',
		type: 'string',
		default: '',
		hint: 'Leave blank for password-only auth',
		displayOptions: { show: { store: ['redis'], redisMode: ['sentinel'] } },
	},
	{
		displayName: 'Sentinel Password',
		name: 'redisSentinelPassword',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		hint: 'Leave blank if the sentinels ask for none',
		displayOptions: { show: { store: ['redis'], redisMode: ['sentinel'] } },
	},
	{
		displayName: 'Start Nodes',
		name: 'redisClusterNodes',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. redis-1:6379, redis-2:6379',
		description: 'Host and port of some nodes of the cluster, separated by commas. The port defaults to 6379.',
		displayOptions: { show: { store: ['redis'], redisMode: ['cluster'] } },
	},
	{
		displayName: 'User',
		name: 'redisUser',
		type: 'string',
		default: '',
		hint: 'Leave blank for password-only auth',
		displayOptions: redis,
	},
	{
		displayName: 'Password',
		name: 'redisPassword',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: redis,
	},
	{
		displayName: 'Database Number',
		name: 'redisDatabase',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		displayOptions: { show: { store: ['redis'], redisMode: ['standalone', 'sentinel'] } },
	},
	...tlsFields('redis'),
	{
		displayName: 'Key Prefix',
		name: 'redisKeyPrefix',
		type: 'string',
		default: 'idempotency',
		required: true,
		description: 'What all Redis keys of the ledger begin with. Another prefix is another ledger.',
		displayOptions: redis,
	},
	{
		displayName: 'Wait For Replicas',
		name: 'redisWaitForReplicas',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: 0,
		description:
			'Replicas that must have a claim before it is given out. With too few of them nothing is claimed. 0 trusts the primary alone: a failover may forget its newest claims.',
		displayOptions: redis,
	},
];

/**
 * Where the ledger is. Fields only: what they become is in nodes/shared/settings.ts. The test needs
 * TCP, so each node brings it (`testedBy`).
 */
export class IdempotencyLedgerApi implements ICredentialType {
	name = 'idempotencyLedgerApi';

	displayName = 'Idempotency Ledger API';

	icon: Icon = { light: 'file:ledger.svg', dark: 'file:ledger.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-idempotency/n8n-nodes-idempotency#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Store',
			name: 'store',
			type: 'options',
			options: [
				{ name: 'Embedded', value: 'embedded', description: 'A file beside n8n. Nothing to set up, for one n8n process.' },
				{ name: 'PostgreSQL', value: 'postgres', description: 'For queue mode and several n8n instances' },
				{ name: 'Redis', value: 'redis', description: 'Redis or Valkey, for queue mode and several n8n instances' },
			],
			default: 'embedded',
			description: 'Where the ledger is kept. All workflows that guard the same effect have to use the same ledger.',
		},
		...embeddedFields,
		...postgresFields,
		...redisFields,
		{
			displayName: 'Connect Timeout (Seconds)',
			name: 'connectTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 120 },
			default: 5,
			description: 'How long a new connection may take',
			displayOptions: { show: { store: ['postgres', 'redis'] } },
		},
		{
			displayName: 'Command Timeout (Seconds)',
			name: 'commandTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300 },
			default: 10,
			description: 'How long the ledger may take to answer. After that nothing is released to Claimed.',
		},
		{
			displayName: 'Hash Secret',
			name: 'hashSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret for the option Hash Business ID, so that nobody can find an ID again by hashing guesses. Changing it later gives every hashed key another name: what was done before is done again.',
			hint: 'Leave blank if you do not hash business IDs',
		},
	];
}
