import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { ledgerConnectionTest } from '../shared/connectionTest';
import { runFailClosed } from '../shared/itemLoop';
import { actionOf } from './actions';
import { claimProperties } from './description/claim';
import { leaseProperties } from './description/lease';
import { operationProperty } from './description/operation';
import { resolveProperties } from './description/resolve';
import { sealProperties } from './description/seal';
import { OUTPUT, OUTPUT_NAMES } from './sealAnswer';
import { giveHints } from './sealHints';

export class IdempotencySeal implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotency Seal',
		name: 'idempotencySeal',
		icon: { light: 'file:seal.svg', dark: 'file:seal.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ { seal: { detect: "seal: detect outcome", success: "seal: succeeded", retryable: "seal: retryable failure", permanent: "seal: permanent failure", unknown: "seal: unknown" }[$parameter["outcome"]] ?? "seal", extend: "extend lease", release: "release", resolve: "resolve: " + { succeeded: "succeeded", retry: "may be retried", failed: "failed" }[$parameter["decision"]] }[$parameter["operation"]] }}',
		description: 'Record the outcome of a claimed effect, so that duplicates get its result and failures are retried safely',
		defaults: {
			name: 'Idempotency Seal',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: OUTPUT_NAMES,
		credentials: [
			{
				name: 'idempotencyLedgerApi',
				required: true,
				testedBy: 'ledgerConnectionTest',
			},
		],
		properties: [operationProperty, ...claimProperties, ...sealProperties, ...leaseProperties, ...resolveProperties],
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const plan = { outputs: 4, failures: OUTPUT.review, guards: true, field: 'idempotency' };
		return await runFailClosed(this, plan, async (outputs) => {
			const operation = this.getNodeParameter('operation', 0);
			if (operation === 'seal' && !outputs.isTool) giveHints(this);
			await actionOf(operation)(this, outputs);
		});
	}
}
