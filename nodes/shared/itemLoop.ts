import { isToolType } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';
import { describeFailure, errorText, toNodeError } from './nodeErrors';

export interface OutputPlan {
	/** regular outputs of the node, the error output not counted */
	outputs: number;
	/** where an item goes that failed while On Error = Continue; never output 0 of a node that guards */
	failures: number;
	/**
	 * True for nodes whose output 0 lets effects run or reports them as done. They refuse to run with
	 * Always Output Data on, which would put an empty item there.
	 */
	guards: boolean;
	/** field the answer goes into unless `send` names another; null = the answer is the whole item */
	field: string | null;
}

export interface SendOptions {
	/** field for the answer, instead of the plan's */
	field?: string;
	/** JSON to send instead of the item's own */
	json?: IDataObject;
}

/**
 * Where each item of a run goes. Output 0 is where n8n itself puts items (all input when a node
 * throws under On Error = Continue, an empty one with Always Output Data), so the nodes never throw
 * while `continueOnFail()` is true: what failed leaves by the failures output, or the error output.
 */
export class ItemOutputs {
	readonly items: INodeExecutionData[];
	readonly node: INode;
	/** an AI agent sees output 0 only, so everything goes there, with its `status` */
	readonly isTool: boolean;
	private readonly data: INodeExecutionData[][];
	private readonly settled = new Set<number>();
	private firstFailure: { error: unknown; itemIndex?: number } | null = null;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly plan: OutputPlan,
	) {
		this.items = context.getInputData();
		this.node = context.getNode();
		this.isTool = isToolType(this.node.type) || context.isToolExecution?.() === true;
		this.data = Array.from({ length: plan.outputs }, () => []);
	}

	/** True when the first failure ends the run: then nothing should be started that it would leave behind. */
	get stopsOnFailure(): boolean {
		if (this.isTool) return this.node.onError === 'stopWorkflow';
		return !this.context.continueOnFail();
	}

	get hasFailed(): boolean {
		return this.firstFailure !== null;
	}

	isSettled(itemIndex: number): boolean {
		return this.settled.has(itemIndex);
	}

	/** The item has been dealt with, whatever comes out for it. */
	settle(itemIndex: number): void {
		this.settled.add(itemIndex);
	}

	/** Send an item on, unchanged but for one field with the answer (which should hold a `status`). */
	send(itemIndex: number, output: number, answer: IDataObject, options: SendOptions = {}): void {
		this.settled.add(itemIndex);
		const field = options.field ?? this.plan.field;
		if (this.isTool || field === null) return this.emit(itemIndex, output, answer);
		const item = this.items[itemIndex];
		// A top-level `error` would make n8n run the node again, or treat the item as failed.
		const { error, ...json } = options.json ?? item.json;
		const lastError = error ?? item.error?.message;
		// What the ledger keeps of it is redacted and says when it was: it comes first.
		const known = answer.lastError ?? null;
		const noted = known !== null || lastError === undefined || lastError === null ? answer : { ...answer, lastError };
		this.emit(itemIndex, output, { ...json, [field]: noted }, item);
	}

	/** Put JSON on an output as it is, linked to the item it came of. */
	emit(itemIndex: number, output: number, json: IDataObject, { binary }: Partial<INodeExecutionData> = {}): void {
		this.settled.add(itemIndex);
		const data: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
		if (binary !== undefined && !this.isTool) data.binary = binary;
		this.data[this.isTool ? 0 : output].push(data);
	}

	/** An item that couldn't be dealt with, routed as On Error says. Never throws. */
	fail(itemIndex: number, error: unknown, details: IDataObject = {}, options: SendOptions = {}): void {
		this.settled.add(itemIndex);
		this.firstFailure ??= { error, itemIndex };
		if (this.stopsOnFailure) return;
		const failure = describeFailure(error);
		if (this.node.onError === 'continueErrorOutput' && !this.isTool) {
			// Bare, so that n8n recognises it, moves it to the error output and merges the input into it.
			const linked = this.isLinkReadable(itemIndex) ? { pairedItem: { item: itemIndex } } : {};
			this.data[this.plan.failures].push({ json: { error: errorText(failure) }, ...linked });
			return;
		}
		this.send(itemIndex, this.plan.failures, { status: 'error', ...failure, ...details }, options);
	}

	/** Everything that isn't settled yet has failed by this error. */
	failRest(error: unknown): void {
		if (this.items.length === 0) this.firstFailure ??= { error };
		this.items.forEach((_, itemIndex) => {
			if (!this.settled.has(itemIndex)) this.fail(itemIndex, error);
		});
	}

	/**
	 * What `execute` returns.
	 * @throws NodeOperationError the first failure, only if On Error = Stop
	 */
	finish(): INodeExecutionData[][] {
		if (this.firstFailure !== null && this.stopsOnFailure) {
			throw toNodeError(this.node, this.firstFailure.error, this.firstFailure.itemIndex);
		}
		return this.data;
	}

	/** n8n's merge reads the linked input item and throws, under Continue to output 0, when it can't. */
	private isLinkReadable(itemIndex: number): boolean {
		try {
			const source = this.context.getExecuteData().source?.main?.[0];
			if (!source) return this.context.getExecuteData().source === null;
			const { $getPairedItem } = this.context.getWorkflowDataProxy(0);
			$getPairedItem(source.previousNode, source, { item: itemIndex });
			return true;
		} catch {
			return false;
		}
	}
}

/**
 * Run a node's work so that nothing gets out on output 0 that the work didn't put there: every error,
 * also a bug's, becomes failures of the items that aren't settled; an item the work forgot is one.
 * @throws NodeOperationError with the item's index, only if On Error = Stop
 */
export async function runFailClosed(
	context: IExecuteFunctions,
	plan: OutputPlan,
	work: (outputs: ItemOutputs) => Promise<void>,
): Promise<INodeExecutionData[][]> {
	const outputs = new ItemOutputs(context, plan);
	try {
		const refused = plan.guards && outputs.node.alwaysOutputData === true && !outputs.isTool;
		if (refused) outputs.failRest(alwaysOutputDataRefused(context, outputs));
		else await work(outputs);
		outputs.failRest(new LedgerError('UNEXPECTED', 'This node lost sight of an item'));
	} catch (error) {
		outputs.failRest(error);
	}
	return outputs.finish();
}

/** The refusal. While n8n goes on after it, n8n's empty item has to be kept off output 0 as well. */
function alwaysOutputDataRefused(context: IExecuteFunctions, outputs: ItemOutputs): LedgerError {
	if (!outputs.stopsOnFailure) {
		const executeData = context.getExecuteData();
		// n8n looks at this entry after the run. Only this run's entry is replaced, not the workflow's node.
		executeData.node = { ...executeData.node, alwaysOutputData: false };
	}
	return new LedgerError(
		'INVALID_PARAMETER',
		'Always Output Data is switched on in the settings of this node: n8n would add an empty item that no ledger has seen',
		{ advice: 'Switch Always Output Data off in the Settings tab of this node.' },
	);
}
