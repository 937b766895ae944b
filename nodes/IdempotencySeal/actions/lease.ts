import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Answer, ExtendOutcome, ReleaseOutcome } from '../../../ledger/core/commands';
import type { LedgerStore } from '../../../ledger/core/store';
import { withLedger } from '../../../ledger/stores/ledgerRegistry';
import type { ClaimHandleJson } from '../../shared/claimHandle';
import type { ItemOutputs } from '../../shared/itemLoop';
import { loadLedgerCredential } from '../../shared/ledgerCredential';
import { checkNumber } from '../../shared/numberParameter';
import { checkOutputField } from '../../shared/outputField';
import { claimsOfItems } from '../claimOfItem';
import { isRerun } from '../rerun';
import { holderJson, mostUrgent, OUTPUT, statusOf } from '../sealAnswer';

/** A year, as for the lease that Claim gives. */
const LONGEST_EXTENSION_MINUTES = 366 * 24 * 60;

type LeaseAnswer = Answer<ExtendOutcome | ReleaseOutcome>;
interface Held {
	itemIndex: number;
	handle: ClaimHandleJson;
}

/** Prolong the lease of each item's claim, all in one round trip. */
export async function extendItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	await forHeld(context, outputs, (store, held) =>
		store.extend(
			held.map(({ itemIndex, handle: { key, token, attempt } }) => ({ key, token, attempt, extendMs: extendMs(context, itemIndex) })),
		),
	);
}

/** Give each item's claim back, all in one round trip. */
export async function releaseItems(context: IExecuteFunctions, outputs: ItemOutputs): Promise<void> {
	const executionId = context.getExecutionId() || null;
	await forHeld(context, outputs, (store, held) =>
		store.release(
			held.map(({ handle }) => ({
				key: handle.key,
				token: handle.token,
				attempt: handle.attempt,
				rerun: isRerun(context, handle),
				executionId,
			})),
		),
	);
}

async function forHeld(
	context: IExecuteFunctions,
	outputs: ItemOutputs,
	command: (store: LedgerStore, held: Held[]) => Promise<LeaseAnswer[]>,
): Promise<void> {
	const { settings } = await loadLedgerCredential(context);
	const claimsOf = claimsOfItems(context);
	const fields = new Map<number, string>();
	const held: Held[] = [];
	for (const itemIndex of outputs.items.keys()) {
		try {
			const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
			fields.set(itemIndex, checkOutputField(options.outputField ?? 'idempotency'));
			if (context.getNodeParameter('operation', 0) === 'extend') extendMs(context, itemIndex);
			held.push(...claimsOf(itemIndex).handles.map((handle) => ({ itemIndex, handle })));
		} catch (error) {
			outputs.fail(itemIndex, error, {}, { field: fields.get(itemIndex) });
		}
	}
	if (held.length === 0 || (outputs.hasFailed && outputs.stopsOnFailure)) return;

	const answers = await withLedger(settings, (store) => command(store, held));
	for (const itemIndex of new Set(held.map((one) => one.itemIndex))) {
		const own = held.map((one, index) => ({ ...one, answer: answers[index] })).filter((one) => one.itemIndex === itemIndex);
		const worst = mostUrgent(own.map(({ answer }) => answer));
		const { handle } = own.find(({ answer }) => answer === worst)!;
		outputs.send(itemIndex, OUTPUT[statusOf(worst)], holderJson(worst, handle), { field: fields.get(itemIndex) });
	}
}

function extendMs(context: IExecuteFunctions, itemIndex: number): number {
	const bounds = { min: 0.01, max: LONGEST_EXTENSION_MINUTES };
	return Math.round(checkNumber('Extend By (Minutes)', context.getNodeParameter('extendMinutes', itemIndex), bounds) * 60_000);
}
