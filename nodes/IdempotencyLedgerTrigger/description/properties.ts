import type { INodeProperties } from 'n8n-workflow';

import { EVENTS } from '../events';
import { DEFAULT_BATCH_SIZE, DEFAULT_LEASE_GRACE_MINUTES, DEFAULT_OVERDUE_MINUTES } from '../triggerParameters';

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Came Into Review',
				value: 'came_into_review',
				description: 'A person has to find out what happened',
			},
			{
				name: 'Failed for Good',
				value: 'failed_for_good',
				description: 'A dead letter: the effect did not happen and will not be tried again',
			},
			{
				name: 'Lease Ran Out',
				value: 'lease_ran_out',
				description: 'A claim whose holder never came back. The trigger moves it to review, unless it may be taken over.',
			},
			{
				name: 'Retry Overdue',
				value: 'retry_overdue',
				description: 'A retry was due and nobody came for it',
			},
		],
		default: [...EVENTS],
		description: 'What to fire on: one item for each record, once for each change of it',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Every filter narrows what the trigger fires on, and which leases it moves to review',
		options: [
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
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
				default: DEFAULT_BATCH_SIZE,
				description: 'Records of each kind in one execution, at most. The rest comes with the next polls.',
			},
			{
				displayName: 'Emit Existing Records',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description: 'Whether to fire also on what was there before the workflow was first activated',
			},
			{
				displayName: 'Lease Grace Period (Minutes)',
				name: 'leaseGraceMinutes',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 2 },
				default: DEFAULT_LEASE_GRACE_MINUTES,
				description: 'How long after its end a lease counts as run out. A holder that is only slow can seal until then and after.',
			},
			{
				displayName: 'Retry Overdue After (Minutes)',
				name: 'overdueAfterMinutes',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 2 },
				default: DEFAULT_OVERDUE_MINUTES,
				description: 'How long after it was due a retry counts as overdue',
			},
		],
	},
];
