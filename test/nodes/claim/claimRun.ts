import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { Answer, SealCommand, SealOutcome } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import type { LedgerStore } from '../../../ledger/core/store';
import { withLedger } from '../../../ledger/stores/ledgerRegistry';
import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { settingsFromCredential } from '../../../nodes/shared/settings';
import { CLAIM, node, runWorkflow, workflow, type EngineRun, type NodeSettings, type RunOptions, type Wire } from '../../support/engine';

/** Output names by their number, as `run.json('Claim', OUT.review)` reads. */
export const OUT = { claimed: 0, doneBefore: 1, inProgress: 2, review: 3, error: 4 };

/** Stores stay open for the next execution; the test's process has none to come. */
afterAll(async () => {
	const registries = (globalThis as { [name: symbol]: Record<number, Map<string, { close(): Promise<void> }>> | undefined })[
		Symbol.for('n8n-nodes-idempotency.ledgers')
	];
	const ledgers = Object.values(registries ?? {}).flatMap((registry) => [...registry.values()]);
	await Promise.all(ledgers.map((ledger) => ledger.close()));
});

/** An embedded ledger of its own, in the engine's temporary user folder. */
export function embeddedLedger(): ICredentialDataDecryptedObject {
	return { store: 'embedded', embeddedFileName: `ledger-${randomUUID().slice(0, 8)}.sqlite` };
}

/** Use the store that the node uses. */
export async function inLedger<Value>(data: ICredentialDataDecryptedObject, use: (store: LedgerStore) => Promise<Value>): Promise<Value> {
	return await withLedger(settingsFromCredential(data).settings, use);
}

export async function recordOf(data: ICredentialDataDecryptedObject, key: string): Promise<LedgerRecord | null> {
	return await inLedger(data, async (store) => (await store.get([key])).records[0]);
}

/** Seal what an item claimed, as Seal would. */
export async function seal(
	data: ICredentialDataDecryptedObject,
	handle: IDataObject,
	more: Partial<SealCommand> = {},
): Promise<Answer<SealOutcome>> {
	const { key, token, attempt, operation, businessId, scope, version } = handle as unknown as SealCommand;
	const command: SealCommand = {
		...{ key, token, attempt, operation, businessId, scope, version },
		word: 'success',
		result: { id: 'ch_1' },
		externalId: 'ch_1',
		error: null,
		retryDelayMs: 0,
		deadlineSeconds: null,
		rerun: false,
		ephemeral: false,
		externalIdIsUnique: true,
		executionId: null,
		...more,
	};
	return (await inLedger(data, (store) => store.seal([command])))[0];
}

export interface ClaimRun extends Partial<Omit<RunOptions, 'workflow'>> {
	ledger: ICredentialDataDecryptedObject;
	items: IDataObject[];
	parameters?: INodeParameters;
	options?: INodeParameters;
	settings?: NodeSettings;
	/** more nodes and wires behind Claim */
	nodes?: ReturnType<typeof node>[];
	wires?: Wire[];
}

/** Start → Claim, and what the test adds. The business ID is `$json.id`, the operation `charge`. */
export async function claimRun({ ledger, items, parameters, options, settings, nodes, wires, ...more }: ClaimRun): Promise<EngineRun> {
	const claim = node(
		'Claim',
		CLAIM,
		{
			operation: 'charge',
			businessId: '={{ $json.id }}',
			leaseMinutes: 15,
			...parameters,
			...(options ? { options } : {}),
		},
		{ credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'Ledger' } }, ...settings },
	);
	return await runWorkflow({
		workflow: workflow([node('Start', 'test.trigger', { items: items as never }), claim, ...(nodes ?? [])], [['Start', 'Claim'], ...(wires ?? [])]),
		nodeTypes: { [CLAIM]: new IdempotencyClaim() },
		credentials: { ledger },
		...more,
	});
}

/** The idempotency fields of one output. */
export function answers(run: EngineRun, output: number, field = 'idempotency'): IDataObject[] {
	return run.json('Claim', output).map((json) => json[field] as IDataObject);
}
