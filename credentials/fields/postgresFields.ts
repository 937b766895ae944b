import type { INodeProperties } from 'n8n-workflow';

import { tlsFields } from './tlsFields';

const postgres = { show: { store: ['postgres'] } };

export const postgresFields: INodeProperties[] = [
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
