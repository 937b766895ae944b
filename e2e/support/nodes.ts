import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import { chain, node, workflow, type NodeSettings } from '../../test/support/engine/workflowJson';
import type { CredentialReference } from './ledgers';

export { chain, node, workflow };

const PACKAGE = 'n8n-nodes-idempotency';
type Settings = NodeSettings & { ledger?: CredentialReference };

const ours = (name: string, type: string, parameters: INodeParameters, { ledger, ...settings }: Settings): INode =>
	node(name, `${PACKAGE}.${type}`, parameters, {
		...settings,
		...(ledger ? { credentials: { idempotencyLedgerApi: ledger } } : {}),
	});

/** Claims `charge:<orderId of the webhook's body>`, unless told otherwise. */
export const claim = (parameters: INodeParameters, settings: Settings, name = 'Claim'): INode =>
	ours(name, 'idempotencyClaim', { operation: 'charge', businessId: '={{ $json.body.orderId }}', ...parameters }, settings);

export const seal = (parameters: INodeParameters, settings: Settings, name = 'Seal'): INode =>
	ours(name, 'idempotencySeal', parameters, settings);

export const lookup = (parameters: INodeParameters, settings: Settings, name = 'Lookup'): INode =>
	ours(name, 'idempotencyLookup', parameters, settings);

/** The polling trigger; n8n adds its poll times to the parameters. */
export const ledgerTrigger = (parameters: INodeParameters, settings: Settings, name = 'Ledger Trigger'): INode =>
	ours(name, 'idempotencyLedgerTrigger', { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters }, settings);

/**
 * A webhook of its own path, as the node named "Webhook".
 *
 * @param responseMode `lastNode`, `responseNode`, or `onReceived`: at once
 */
export function webhook(responseMode: 'lastNode' | 'responseNode' | 'onReceived' = 'lastNode'): INode {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode, options: {} };
	return { ...node('Webhook', 'n8n-nodes-base.webhook', parameters, { typeVersion: 2.1 }), webhookId: randomUUID() };
}

/** The effect: asks the sink to charge the webhook's order. */
export function charge(url: string, settings: NodeSettings = {}, name = 'Charge'): INode {
	const parameters = {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { orderId: $("Webhook").first().json.body.orderId } }}',
		options: { timeout: 5_000 },
	};
	return node(name, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2, ...settings });
}

/** A place for items to end in, to be counted there. */
export const end = (name: string): INode => node(name, 'n8n-nodes-base.noOp');
