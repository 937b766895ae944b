import type { INodeProperties } from 'n8n-workflow';

const show = { operation: ['getMany'] };

/** Get Many: the review queue, the dead letters, what is stuck. */
export const getManyProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { ...show, returnAll: [false] } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Every filter narrows the list. Records come oldest first.',
		options: [
			{
				displayName: 'Correlation ID',
				name: 'correlationId',
				type: 'string',
				default: '',
				description: 'Only records with this correlation ID',
			},
			{
				displayName: 'Cursor',
				name: 'cursor',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.nextCursor }}',
				description: 'Where to go on: nextCursor of the last item of the page before, with the same filters',
			},
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				default: '',
				description: 'Only records whose effect got this ID from the destination',
			},
			{
				displayName: 'Lease Is Over',
				name: 'stuck',
				type: 'boolean',
				default: false,
				description: 'Whether to return only records in processing whose lease is over: nobody came back to seal them',
			},
			{
				displayName: 'Older Than (Hours)',
				name: 'olderThanHours',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1,
				description: 'Only records that have not changed for at least this long',
			},
			{
				displayName: 'Operation',
				name: 'claimedOperation',
				type: 'string',
				default: '',
				placeholder: 'e.g. charge_customer',
				description: 'Only records of this operation',
			},
			{
				displayName: 'Scope',
				name: 'scope',
				type: 'string',
				default: '',
				description: 'Only records of this scope',
			},
			{
				displayName: 'States',
				name: 'states',
				type: 'multiOptions',
				options: [
					{ name: 'Needs Review', value: 'needs_review', description: 'A person has to decide' },
					{ name: 'Permanent Failed', value: 'permanent_failed', description: 'Failed for good' },
					{ name: 'Processing', value: 'processing', description: 'Claimed and not sealed yet' },
					{ name: 'Retryable Failed', value: 'retryable_failed', description: 'Failed, may be tried again' },
					{ name: 'Succeeded', value: 'succeeded', description: 'Done' },
				],
				default: [],
				description: 'Only records in one of these states',
			},
		],
		displayOptions: { show },
	},
];
