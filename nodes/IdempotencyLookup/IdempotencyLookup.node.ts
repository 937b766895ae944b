import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/connectionTest';
import { runFailClosed } from '../shared/itemLoop';
import { getProperties } from './description/get';
import { getManyProperties } from './description/getMany';
import { operationProperty, statisticsProperties } from './description/operation';
import { lookUpItems } from './lookUpItems';

export class IdempotencyLookup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotency Lookup',
		name: 'idempotencyLookup',
		icon: { light: 'file:lookup.svg', dark: 'file:lookup.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle:
			'={{ ({ get: "get: " + ($parameter["lookUpBy"] === "key" ? "by key" : $parameter["claimedOperation"]), getMany: "get many", getStatistics: "get statistics" })[$parameter["operation"]] }}',
		description: 'Read the idempotency ledger: one record, many records or statistics',
		defaults: {
			name: 'Idempotency Lookup',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'idempotencyLedgerApi',
				required: true,
				testedBy: 'ledgerConnectionTest',
			},
		],
		properties: [operationProperty, ...getProperties, ...getManyProperties, ...statisticsProperties],
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// Reading releases nothing, so an empty item of Always Output Data does no harm here.
		const plan = { outputs: 1, failures: 0, guards: false, field: null };
		return await runFailClosed(this, plan, (outputs) => lookUpItems(this, outputs));
	}
}
