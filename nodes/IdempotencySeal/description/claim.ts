import type { INodeProperties } from 'n8n-workflow';

const holders = { operation: ['seal', 'extend', 'release'] };

/** Where this node takes the claim from: for everything that only the holder may do. */
export const claimProperties: INodeProperties[] = [
	{
		displayName: 'Claim',
		name: 'claimSource',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Follow each item back to the Idempotency Claim it came through',
			},
			{
				name: 'From This Item',
				value: 'item',
				description: 'Read the claim that Idempotency Claim wrote into the item itself',
			},
			{
				name: 'Key and Token',
				value: 'keyAndToken',
				description: 'Give the key, token and attempt yourself, for example from a callback',
			},
		],
		default: 'automatic',
		description: 'How to find the claim that this item belongs to',
		displayOptions: { show: holders },
	},
	{
		displayName: 'Claim Field',
		name: 'claimField',
		type: 'string',
		default: 'idempotency',
		required: true,
		description: 'Field of the item that holds the claim',
		hint: 'The Output Field of your Idempotency Claim',
		displayOptions: { show: { ...holders, claimSource: ['item'] } },
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. charge_customer:order-1001',
		description: 'Key that Idempotency Claim returned',
		displayOptions: { show: { ...holders, claimSource: ['keyAndToken'] } },
	},
	{
		displayName: 'Claim Token',
		name: 'token',
		// The token fences writes against late holders; it is no secret and has to be mapped from data.
		// eslint-disable-next-line n8n-nodes-base/node-param-type-options-password-missing
		type: 'string',
		default: '',
		required: true,
		description: 'Token that Idempotency Claim returned with the key',
		displayOptions: { show: { ...holders, claimSource: ['keyAndToken'] } },
	},
	{
		displayName: 'Attempt',
		name: 'attempt',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		required: true,
		description: 'Attempt number that Idempotency Claim returned with the key',
		displayOptions: { show: { ...holders, claimSource: ['keyAndToken'] } },
	},
];
