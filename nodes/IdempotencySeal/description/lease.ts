import type { INodeProperties } from 'n8n-workflow';

/** Extend Lease and Release. */
export const leaseProperties: INodeProperties[] = [
	{
		displayName: 'Extend By (Minutes)',
		name: 'extendMinutes',
		type: 'number',
		typeOptions: { minValue: 0.01 },
		default: 15,
		description: 'How long from now the claim is presumed alive. A lease is never shortened.',
		displayOptions: { show: { operation: ['extend'] } },
	},
	{
		displayName: 'Release only if the effect was certainly not attempted. The next claim for this key may run it at once.',
		name: 'releaseNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { operation: ['release'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Output Field',
				name: 'outputField',
				type: 'string',
				default: 'idempotency',
				description: 'Name of the field that this node adds to each item',
			},
		],
		displayOptions: { show: { operation: ['extend', 'release'] } },
	},
];
