import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { DEFAULT_OUTPUT_FIELD } from '../shared/claimHandle';
import { ledgerConnectionTest } from '../shared/connectionTest';
import { runFailClosed } from '../shared/itemLoop';
import { CLAIM_OUTPUTS } from './claimAnswer';
import { giveHints } from './claimHints';
import { claimItems } from './claimItems';
import { keyProperties, leaseProperties } from './description/claim';
import { optionsProperty } from './description/options';

export class IdempotencyClaim implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotency Claim',
		name: 'idempotencyClaim',
		icon: { light: 'file:claim.svg', dark: 'file:claim.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ "claim: " + $parameter["operation"] + ($parameter["whenLeaseExpires"] === "take_over" ? ", may take over" : "") }}',
		description: 'Claim a business key before an effect, so that the effect does not happen twice',
		defaults: {
			name: 'Idempotency Claim',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Claimed', 'Done Before', 'In Progress', 'Review'],
		credentials: [
			{
				name: 'idempotencyLedgerApi',
				required: true,
				testedBy: 'ledgerConnectionTest',
			},
		],
		properties: [...keyProperties, ...leaseProperties, optionsProperty],
	};

	methods = { credentialTest: { ledgerConnectionTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const plan = { outputs: 4, failures: CLAIM_OUTPUTS.review, guards: true, field: DEFAULT_OUTPUT_FIELD };
		return await runFailClosed(this, plan, async (outputs) => {
			giveHints(this, outputs.isTool);
			await claimItems(this, outputs);
		});
	}
}
