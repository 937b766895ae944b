import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import type { ClaimCommand } from '../../../ledger/core/commands';
import type { LedgerStore } from '../../../ledger/core/store';
import { withLedger } from '../../../ledger/stores/ledgerRegistry';
import { settingsFromCredential } from '../../../nodes/shared/settings';
import { IdempotencyLedgerTrigger } from '../../../nodes/IdempotencyLedgerTrigger/IdempotencyLedgerTrigger.node';
import type { OutcomeWord } from '../../../ledger/core/states';
import { aClaim, aSeal } from '../../support/builders';
import { node, PolledNode, TRIGGER } from '../../support/engine';

/** A credential of each store, for a ledger of its own. */
export function credentials(): Array<[string, ICredentialDataDecryptedObject]> {
	const postgres = new URL(process.env.LEDGER_TEST_POSTGRES_URL!);
	const redis = new URL(process.env.LEDGER_TEST_REDIS_URL!);
	const own = () => `t${randomUUID().slice(0, 8)}_`;
	return [
		['embedded', embeddedLedger()],
		[
			'postgres',
			{
				store: 'postgres',
				postgresHost: postgres.hostname,
				postgresPort: Number(postgres.port),
				postgresDatabase: postgres.pathname.slice(1),
				postgresUser: decodeURIComponent(postgres.username),
				postgresPassword: decodeURIComponent(postgres.password),
				postgresTablePrefix: own(),
			},
		],
		[
			'redis',
			{
				store: 'redis',
				redisHost: redis.hostname,
				redisPort: Number(redis.port),
				redisUser: decodeURIComponent(redis.username),
				redisPassword: decodeURIComponent(redis.password),
				redisKeyPrefix: own(),
			},
		],
	];
}

/** An embedded ledger of its own, in the engine's temporary user folder. */
export function embeddedLedger(): ICredentialDataDecryptedObject {
	// n8n makes it when it starts.
	mkdirSync(join(process.env.N8N_USER_FOLDER!, '.n8n'), { recursive: true });
	return { store: 'embedded', embeddedFileName: `ledger-${randomUUID().slice(0, 8)}.sqlite` };
}

/** Use the store that the trigger uses. */
export async function inLedger<Value>(data: ICredentialDataDecryptedObject, use: (store: LedgerStore) => Promise<Value>): Promise<Value> {
	return await withLedger(settingsFromCredential(data).settings, use);
}

/** The trigger on that ledger, not active yet. */
export function triggerOn(ledger: ICredentialDataDecryptedObject | null, parameters: INodeParameters = {}): PolledNode {
	const options = { leaseGraceMinutes: 0, overdueAfterMinutes: 0, ...(parameters.options as INodeParameters | undefined) };
	const events = ['came_into_review', 'failed_for_good', 'lease_ran_out', 'retry_overdue'];
	const settings = ledger === null ? {} : { credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'Ledger' } } };
	return new PolledNode(
		new IdempotencyLedgerTrigger(),
		// Every node of a test is another one, as in n8n.
		{ ...node('Trigger', TRIGGER, { events, filters: {}, ...parameters, options }, settings), id: randomUUID() },
		ledger === null ? {} : { ledger },
	);
}

/** Claims a new key; its lease is over at once unless told. */
export async function claimed(ledger: ICredentialDataDecryptedObject, changes: Partial<ClaimCommand> = {}): Promise<ClaimCommand> {
	const claim = aClaim({ leaseMs: 1, ...changes });
	await inLedger(ledger, (store) => store.claim([claim]));
	return claim;
}

/** Claims a new key and seals it so. */
export async function sealed(ledger: ICredentialDataDecryptedObject, word: OutcomeWord, changes: Partial<ClaimCommand> = {}): Promise<ClaimCommand> {
	const claim = await claimed(ledger, { leaseMs: 60_000, ...changes });
	await inLedger(ledger, (store) => store.seal([aSeal(claim, word)]));
	return claim;
}

/** Long enough for a lease of 1 ms to be over by any clock. */
export const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
