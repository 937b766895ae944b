import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { embeddedFields } from './fields/embeddedFields';
import { postgresFields } from './fields/postgresFields';
import { redisFields } from './fields/redisFields';

/**
 * Where the ledger is. Fields only: what they become is in nodes/shared/settings.ts. The test needs
 * TCP, so each node brings it (`testedBy`).
 */
export class IdempotencyLedgerApi implements ICredentialType {
	name = 'idempotencyLedgerApi';

	displayName = 'Idempotency Ledger API';

	icon: Icon = { light: 'file:ledger.svg', dark: 'file:ledger.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-idempotency/n8n-nodes-idempotency#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Store',
			name: 'store',
			type: 'options',
			options: [
				{ name: 'Embedded', value: 'embedded', description: 'A file beside n8n. Nothing to set up, for one n8n process.' },
				{ name: 'PostgreSQL', value: 'postgres', description: 'For queue mode and several n8n instances' },
				{ name: 'Redis', value: 'redis', description: 'Redis or Valkey, for queue mode and several n8n instances' },
			],
			default: 'embedded',
			description: 'Where the ledger is kept. All workflows that guard the same effect have to use the same ledger.',
		},
		...embeddedFields,
		...postgresFields,
		...redisFields,
		{
			displayName: 'Connect Timeout (Seconds)',
			name: 'connectTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 120 },
			default: 5,
			description: 'How long a new connection may take',
			displayOptions: { show: { store: ['postgres', 'redis'] } },
		},
		{
			displayName: 'Command Timeout (Seconds)',
			name: 'commandTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300 },
			default: 10,
			description: 'How long the ledger may take to answer. After that nothing is released to Claimed.',
		},
		{
			displayName: 'Hash Secret',
			name: 'hashSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret for the option Hash Business ID, so that nobody can find an ID again by hashing guesses. Changing it later gives every hashed key another name: what was done before is done again.',
			hint: 'Leave blank if you do not hash business IDs',
		},
	];
}
