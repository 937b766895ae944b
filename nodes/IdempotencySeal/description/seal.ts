import type { INodeProperties } from 'n8n-workflow';

const show = { operation: ['seal'] };

/** Outcome, result and retry: what is recorded of the attempt. */
export const sealProperties: INodeProperties[] = [
	{
		displayName: 'Outcome',
		name: 'outcome',
		type: 'options',
		options: [
			{
				name: 'Detect From Item',
				value: 'detect',
				description:
					'An item without an error succeeded; an error is judged by its status or code, and what nobody can know goes to Review',
			},
			{ name: 'Permanent Failure', value: 'permanent', description: 'The effect did not happen and must not be tried again' },
			{ name: 'Retryable Failure', value: 'retryable', description: 'The effect certainly did not happen and may be tried again' },
			{ name: 'Succeeded', value: 'success', description: 'The effect happened' },
			{ name: 'Unknown', value: 'unknown', description: 'Nobody knows whether the effect happened, so a person has to decide' },
		],
		default: 'detect',
		description: 'What happened to the effect',
		displayOptions: { show },
	},
	{
		displayName:
			'Retryable Failure promises that the effect did not happen. If it may have, choose Unknown: a retry would repeat it.',
		name: 'retryableNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, outcome: ['retryable'] } },
	},
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. ch_3MmlLrLkdIwHu7ix',
		description: 'ID that the destination gave to what was created. Duplicates get it back, and a second ID for the same key is reported.',
		displayOptions: { show },
	},
	{
		displayName: 'Result to Store',
		name: 'resultToStore',
		type: 'options',
		options: [
			{ name: 'None', value: 'none', description: 'Store only the outcome and the External ID' },
			{ name: 'Selected Fields', value: 'fields', description: 'Store the fields named below' },
			{ name: 'Whole Item', value: 'whole', description: 'Store all JSON of the item, without binary data' },
		],
		default: 'fields',
		description: 'What later duplicates get as the stored result',
		displayOptions: { show },
	},
	{
		displayName: 'Result Fields',
		name: 'resultFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. status, amount, receipt.url',
		description: 'Names of the fields to store, separated by commas. Use dots for nested fields.',
		hint: 'Empty stores no result. Fields with secrets in their name are redacted.',
		displayOptions: { show: { ...show, resultToStore: ['fields'] } },
	},
	{
		displayName: 'Retry',
		name: 'retry',
		type: 'collection',
		placeholder: 'Add Retry Setting',
		default: {},
		description: 'When the Retry output may be tried again. Max Attempts is set in Idempotency Claim.',
		options: [
			{
				displayName: 'Base Delay (Seconds)',
				name: 'baseDelaySeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 86400 },
				default: 5,
				description: 'Longest wait before the second attempt. It doubles with every attempt, and the actual wait is a random part of it.',
			},
			{
				displayName: 'Deadline (Hours)',
				name: 'deadlineHours',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Time from the first claim after which nothing is tried again. 0 means no deadline.',
			},
			{
				displayName: 'Delay Cap (Seconds)',
				name: 'delayCapSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 2592000 },
				default: 3600,
				description: 'Longest wait before any attempt. A Retry-After header of the destination is honored even above it.',
			},
		],
		displayOptions: { show },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Destination Honors the Key',
				name: 'destinationHonorsKey',
				type: 'boolean',
				default: false,
				description:
					'Whether an unknown outcome may be retried because the request carried the key as an idempotency key that the destination honors. Also set When Lease Expires to Take Over in Idempotency Claim.',
			},
			{
				displayName: 'External ID Is Unique',
				name: 'externalIdIsUnique',
				type: 'boolean',
				default: true,
				description:
					'Whether to report an External ID that another key of the same operation has already. Switch it off for effects that update something.',
			},
			{
				displayName: 'Max Result Size (KB)',
				name: 'maxResultKb',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10240 },
				default: 64,
				description: 'A larger result is replaced by a note of its size',
			},
			{
				displayName: 'Output Field',
				name: 'outputField',
				type: 'string',
				default: 'idempotency',
				description: 'Name of the field that this node adds to each item',
			},
			{
				displayName: 'Permanent Codes',
				name: 'permanentCodes',
				type: 'string',
				default: '',
				placeholder: 'e.g. 409, CARD_DECLINED',
				description: 'Statuses or error codes that mean the effect was refused for good, separated by commas',
			},
			{
				displayName: 'Redact Secrets',
				name: 'redactSecrets',
				type: 'boolean',
				default: true,
				description: 'Whether to replace the values of fields such as authorization, token or password in the stored result',
			},
			{
				displayName: 'Retryable Codes',
				name: 'retryableCodes',
				type: 'string',
				default: '',
				placeholder: 'e.g. 503, LOCK_TIMEOUT',
				description: 'Statuses or error codes that mean the effect certainly did not happen and may be tried again, separated by commas',
			},
			{
				displayName: 'Unknown Codes',
				name: 'unknownCodes',
				type: 'string',
				default: '',
				placeholder: 'e.g. 404, 422',
				description: 'Statuses or error codes after which nobody knows whether the effect happened, separated by commas',
			},
		],
		displayOptions: { show },
	},
];
