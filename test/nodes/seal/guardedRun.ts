import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { IdempotencySeal } from '../../../nodes/IdempotencySeal/IdempotencySeal.node';
import {
	CLAIM,
	node,
	runWorkflow,
	SEAL,
	workflow,
	type EffectScript,
	type EngineRun,
	type NodeSettings,
	type RunOptions,
	type Wire,
} from '../../support/engine';

/** Output names of Seal by their number. */
export const OUT = { sealed: 0, retry: 1, failed: 2, review: 3, error: 4 };

export const credentials = { idempotencyLedgerApi: { id: 'ledger', name: 'Ledger' } };
export const nodeTypes = { [CLAIM]: new IdempotencyClaim(), [SEAL]: new IdempotencySeal() };

export interface GuardedRun extends Partial<Omit<RunOptions, 'workflow'>> {
	ledger: ICredentialDataDecryptedObject;
	items?: IDataObject[];
	effect?: EffectScript;
	claim?: INodeParameters;
	claimSettings?: NodeSettings;
	seal?: INodeParameters;
	sealSettings?: NodeSettings;
	effectSettings?: NodeSettings;
	nodes?: ReturnType<typeof node>[];
	/** default: Start → Claim → Effect → Seal */
	wires?: Wire[];
	pinData?: Record<string, Array<{ json: IDataObject }>>;
}

export const claimNode = (parameters: INodeParameters = {}, settings: NodeSettings = {}, name = 'Claim') =>
	node(name, CLAIM, { operation: 'charge', businessId: '={{ $json.id }}', ...parameters }, { credentials, ...settings });

export const sealNode = (parameters: INodeParameters = {}, settings: NodeSettings = {}, name = 'Seal') =>
	node(name, SEAL, { externalId: '={{ $json.chargeId }}', resultFields: 'chargeId', ...parameters }, { credentials, ...settings });

/** Start → Claim → Effect (On Error: Continue) → Seal, and what the test adds. */
export async function guardedRun(given: GuardedRun): Promise<EngineRun> {
	const { ledger, items = [{ id: 'a' }], effect, claim, claimSettings, seal, sealSettings, effectSettings } = given;
	const { nodes = [], wires = [], pinData, effects, ...more } = given;
	const all = [
		node('Start', 'test.trigger', { items: items as never }),
		claimNode(claim, claimSettings),
		node('Effect', 'test.effect', {}, { onError: 'continueRegularOutput', ...effectSettings }),
		sealNode(seal, sealSettings),
		...nodes,
	];
	const usual: Wire[] = [
		['Start', 'Claim'],
		['Claim', 'Effect'],
		['Effect', 'Seal'],
	];
	return await runWorkflow({
		workflow: workflow(all, wires.length > 0 ? wires : usual, pinData ? { pinData } : {}),
		nodeTypes,
		credentials: { ledger },
		effects: { Effect: effect ?? (({ json }) => ({ chargeId: `ch_${String(json.id)}` })), ...effects },
		...more,
	});
}

/** The idempotency fields of one of Seal's outputs. */
export function answers(run: EngineRun, output: number, name = 'Seal'): IDataObject[] {
	return run.json(name, output).map((json) => json.idempotency as IDataObject);
}
