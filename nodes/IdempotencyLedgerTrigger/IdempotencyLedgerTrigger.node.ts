import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/connectionTest';
import { toNodeError } from '../shared/nodeErrors';
import { triggerProperties } from './description/properties';
import { pollLedger } from './pollLedger';
import { sampleRecords } from './sampleRecords';

export class IdempotencyLedgerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotency Ledger Trigger',
		name: 'idempotencyLedgerTrigger',
		icon: { light: 'file:trigger.svg', dark: 'file:trigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].map((event) => event.replaceAll("_", " ")).join(", ") }}',
		description: 'Fires on records of the idempotency ledger that somebody has to look at: in review, failed, stuck or overdue',
		defaults: {
			name: 'Idempotency Ledger Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'idempotencyLedgerApi',
				required: true,
				testedBy: 'ledgerConnectionTest',
			},
		],
		hints: [
			{
				message:
					'Without Lease Ran Out, a claim whose holder crashed stays in processing until the key is claimed again, and nobody hears of it.',
				type: 'info',
				location: 'ndv',
				whenToDisplay: 'always',
				displayCondition: '={{ !$parameter["events"].includes("lease_ran_out") }}',
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			if (this.getMode() !== 'manual') {
				const items = await pollLedger(this);
				return items && [items];
			}
			const items = await sampleRecords(this);
			if (items.length > 0) return [items];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
		throw new NodeOperationError(this.getNode(), 'No data with the current filter could be found', {
			description: 'There is no record of the chosen events in the ledger. Once active, the trigger fires on what comes.',
		});
	}
}
