import type { INodeProperties } from 'n8n-workflow';

/** What few workflows need. */
export const optionsProperty: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Correlation ID',
			name: 'correlationId',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.headers.traceparent }}',
			description: 'ID to find the record by in your logs or with Idempotency Lookup. It is no part of the key.',
		},
		{
			displayName: 'Fingerprint Whole Item',
			name: 'fingerprintWholeItem',
			type: 'boolean',
			default: false,
			description:
				'Whether all JSON of the item must not change, instead of the named fields. A redelivery with another timestamp is then a conflict.',
		},
		{
			displayName: 'Hash Business ID',
			name: 'hashBusinessId',
			type: 'boolean',
			default: false,
			description:
				'Whether to keep a hash in the ledger instead of the business ID, for example because it is an email address. Changing this, or the Hash Secret of the credential, makes every key new: what was done before is done again.',
		},
		{
			displayName: 'Lower-Case',
			name: 'lowerCase',
			type: 'boolean',
			default: false,
			description: 'Whether ABC-1 and abc-1 are the same business ID. Changing this makes keys with capitals new.',
		},
		{
			displayName: 'Manual Runs',
			name: 'manualRuns',
			type: 'options',
			options: [
				{
					name: 'As Production',
					value: 'production',
					description: 'A manual run in the editor claims the real key, since its effect is real as well',
				},
				{
					name: 'Keep Apart',
					value: 'apart',
					description: 'A manual run in the editor uses keys of its own, which are forgotten after an hour',
				},
			],
			default: 'production',
			description: 'How runs started in the editor are treated. Keep Apart does not know what production did: use it with test data only.',
		},
		{
			displayName: 'Output Field',
			name: 'outputField',
			type: 'string',
			default: 'idempotency',
			description: 'Name of the field that this node adds to each item',
		},
		{
			displayName: 'Replay Result As',
			name: 'replayAs',
			type: 'options',
			options: [
				{
					name: 'Idempotency Field',
					value: 'field',
					description: 'The item stays as it is, and its idempotency field holds the result',
				},
				{
					name: 'Item JSON',
					value: 'json',
					description: 'The item becomes the stored result, as if the effect had just run',
				},
			],
			default: 'field',
			description: 'How the stored result comes out of Done Before',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.tenantId }}',
			description: 'Part of the key that tells tenants or accounts apart, so that equal business IDs do not meet',
		},
		{
			displayName: 'Trim',
			name: 'trim',
			type: 'boolean',
			default: false,
			description: 'Whether to remove spaces around the business ID. Changing this makes keys with such spaces new.',
		},
		{
			displayName: 'Version',
			name: 'version',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2',
			description: 'Part of the key that allows the same business ID once more, for example after a change of the operation',
		},
		{
			displayName: 'Wait While In Progress (Seconds)',
			name: 'waitSeconds',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
			default: 0,
			description:
				'How long to wait for the outcome of a claim that another run holds, before the item goes to In Progress. The whole batch waits.',
		},
	],
};
