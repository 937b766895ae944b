import type { INodeProperties } from 'n8n-workflow';

const embedded = { show: { store: ['embedded'] } };

export const embeddedFields: INodeProperties[] = [
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
