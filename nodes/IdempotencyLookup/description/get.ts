import type { INodeProperties } from 'n8n-workflow';

const show = { operation: ['get'] };
const byBusinessId = { show: { ...show, lookUpBy: ['businessId'] } };

/** Get: one record by what it was claimed with. */
export const getProperties: INodeProperties[] = [
	{
		displayName: 'Look Up By',
		name: 'lookUpBy',
		type: 'options',
		options: [
			{ name: 'Business ID', value: 'businessId', description: 'Operation and business ID, as in Idempotency Claim' },
			{ name: 'Key', value: 'key', description: 'The whole key, as Idempotency Claim returned it' },
		],
		default: 'businessId',
		displayOptions: { show },
	},
	{
		displayName: 'Claimed Operation',
		name: 'claimedOperation',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. charge_customer',
		description: 'Operation of the record, as in Idempotency Claim',
		displayOptions: byBusinessId,
	},
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.orderId }}',
		description: 'Business ID of the record, as in Idempotency Claim',
		displayOptions: byBusinessId,
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. charge_customer:order-1001',
		description: 'Key of the record',
		displayOptions: { show: { ...show, lookUpBy: ['key'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		description: 'They have to be set as in Idempotency Claim, since they change the key',
		options: [
			{
				displayName: 'Hash Business ID',
				name: 'hashBusinessId',
				type: 'boolean',
				default: false,
				description: 'Whether Idempotency Claim hashes the business ID',
			},
			{
				displayName: 'Lower-Case',
				name: 'lowerCase',
				type: 'boolean',
				default: false,
				description: 'Whether Idempotency Claim takes ABC-1 and abc-1 as the same business ID',
			},
			{
				displayName: 'Scope',
				name: 'scope',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.tenantId }}',
				description: 'Scope of the record',
			},
			{
				displayName: 'Test Runs',
				name: 'testRuns',
				type: 'boolean',
				default: false,
				description: 'Whether to look among the keys of manual runs that Idempotency Claim keeps apart',
			},
			{
				displayName: 'Trim',
				name: 'trim',
				type: 'boolean',
				default: false,
				description: 'Whether Idempotency Claim removes spaces around the business ID',
			},
			{
				displayName: 'Version',
				name: 'version',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2',
				description: 'Version of the record',
			},
		],
		displayOptions: byBusinessId,
	},
];
