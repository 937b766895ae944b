import type { INodeProperties } from 'n8n-workflow';

/** What is claimed: the key, and the payload that belongs to it. */
export const keyProperties: INodeProperties[] = [
	{
		displayName:
			'Connect <b>Claimed</b> to the effect only. Set the effect’s <i>On Error</i> to <i>Continue</i> and its <i>Retry On Fail</i> off, and put <b>Idempotency Seal</b> right behind it.',
		name: 'wiringNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. charge_customer',
		description:
			'Fixed name of the one external write that is guarded. The same business ID may be claimed once for each operation.',
	},
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'Stable identifier from the business data, such as an order ID or the ID of an event. It has to be the same in every redelivery, so never take it from the execution or the clock.',
	},
	{
		displayName: 'Fields That Must Not Change',
		name: 'fingerprintFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. amount, currency, customer.number',
		description:
			'Names of the fields that make it the same request, separated by commas. The same business ID with another value in one of them goes to Review as a conflict. Use dots for nested fields.',
		hint: 'Name only what has consequences: a field that differs between redeliveries, such as a timestamp, would make each of them a conflict',
	},
];

/** How long the claim holds and what comes after. */
export const leaseProperties: INodeProperties[] = [
	{
		displayName: 'Lease Duration (Minutes)',
		name: 'leaseMinutes',
		type: 'number',
		typeOptions: { minValue: 0.01 },
		default: 15,
		description:
			'How long the claim is presumed alive. Longer than the effect can take, waits included; Idempotency Seal ends it earlier.',
	},
	{
		displayName: 'When Lease Expires',
		name: 'whenLeaseExpires',
		type: 'options',
		options: [
			{
				name: 'Send to Review',
				value: 'review',
				description: 'Nobody knows whether the effect happened, so a person or a reconcile step decides',
			},
			{
				name: 'Take Over',
				value: 'take_over',
				description: 'The next item with this key runs the effect again',
			},
		],
		default: 'review',
		description: 'What happens to a claim whose outcome was never sealed, for example after a crash',
	},
	{
		displayName:
			'Take Over runs the effect again without knowing whether it happened. Choose it only if the effect passes the key on as an idempotency key that the destination honors, or if a second effect does no harm.',
		name: 'takeOverNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { whenLeaseExpires: ['take_over'] } },
	},
	{
		displayName: 'Max Attempts',
		name: 'maxAttempts',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 5,
		description: 'How often the effect may be tried: the most calls that one key can cause, unless a person allows more. Set by the first claim of a key.',
	},
	{
		displayName: 'Keep Finished Records For (Days)',
		name: 'retentionDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'How long a finished record is kept and duplicates get its result. 0 keeps it forever. Records that are not finished never expire. Set by the first claim of a key.',
	},
	{
		displayName:
			'A duplicate that arrives after this time is new, and its effect happens again. Keep records longer than any sender redelivers.',
		name: 'retentionNotice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { retentionDays: [0, { _cnd: { gte: 30 } }] } },
	},
];
