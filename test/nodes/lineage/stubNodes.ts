import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type INodeType } from 'n8n-workflow';

import { claimedHandle, ownValue, type ClaimHandleJson } from '../../../nodes/shared/claimHandle';
import { findClaims, type ItemClaims } from '../../../nodes/shared/lineage';
import { CLAIM, SEAL } from '../../support/engine';
import { describe, parameter } from '../../support/engine/nodes/describe';

const FOUR = Array.from({ length: 4 }, () => NodeConnectionTypes.Main);

const SEAL_PARAMETERS = [parameter('claimSource', 'string', 'automatic'), parameter('claimField', 'string', 'idempotency')];

/** From This Item: no path is looked at. */
const TOLD = { problem: null, pinned: false, onlyDisabledBetween: false, sideways: { errors: 0, successes: 0, ghosts: 0 } };

interface StubRecord {
	state: 'processing' | 'succeeded' | 'retryable' | 'failed' | 'review';
	token: string;
	attempt: number;
}

/** What a stub Seal found for one item. */
export interface Finding {
	seal: string;
	itemIndex: number;
	claims: ItemClaims;
}

/**
 * Claim and Seal without a ledger's rules: they keep records in a map and write the agreed fields, so
 * that these tests are about the walk alone. The real nodes go through the same workflows.
 */
export class StubNodes {
	readonly findings: Finding[] = [];
	private readonly records = new Map<string, StubRecord>();

	/** `hideRunData`: as on an n8n whose execution context doesn't show its run data; for all Seals, or one. */
	constructor(private readonly options: { hideRunData?: boolean; hideRunDataOf?: string } = {}) {}

	get nodeTypes(): Record<string, INodeType> {
		return { [CLAIM]: this.claim(), [SEAL]: this.seal() };
	}

	private claim(): INodeType {
		const answerClaim = this.answerClaim.bind(this);
		return {
			description: describe(
				'idempotencyClaim',
				[parameter('operation', 'string', ''), parameter('businessId', 'string', ''), parameter('options', 'json', '{}')],
				{ outputs: FOUR, outputNames: ['Claimed', 'Done Before', 'In Progress', 'Review'] },
			),
			async execute(this: IExecuteFunctions) {
				const outputs: INodeExecutionData[][] = [[], [], [], []];
				this.getInputData().forEach((item, i) => {
					const options = optionsOf(this, i);
					if (item.json.breakClaim) throw new Error('The ledger is down');
					const operation = this.getNodeParameter('operation', i) as string;
					const businessId = String(this.getNodeParameter('businessId', i));
					const { output, answer } = answerClaim(operation, businessId, this.getExecutionId() ?? null);
					const field = (options.outputField as string | undefined) ?? 'idempotency';
					outputs[output].push({ ...item, json: { ...item.json, [field]: answer }, pairedItem: { item: i } });
				});
				return outputs;
			},
		};
	}

	private answerClaim(operation: string, businessId: string, executionId: string | null): { output: number; answer: IDataObject } {
		const key = `${operation}:${businessId}`;
		const parts = { key, operation, businessId, scope: null, version: null, ephemeral: false, executionId };
		const before = this.records.get(key);
		if (before === undefined || before.state === 'retryable') {
			const attempt = (before?.attempt ?? 0) + 1;
			const token = `${key}#${attempt}`;
			this.records.set(key, { state: 'processing', token, attempt });
			return { output: 0, answer: { status: 'claimed', ...parts, token, attempt } };
		}
		const answers = { succeeded: [1, 'done_before'], processing: [2, 'in_progress'], failed: [3, 'review'], review: [3, 'review'] } as const;
		const [output, status] = answers[before.state];
		return { output, answer: { status, ...parts, attempt: before.attempt } };
	}

	private seal(): INodeType {
		const { findings, options: stubOptions } = this;
		const sealItem = this.sealItem.bind(this);
		return {
			description: describe('idempotencySeal', [...SEAL_PARAMETERS, parameter('options', 'json', '{}')], {
				outputs: FOUR,
				outputNames: ['Sealed', 'Retry', 'Failed', 'Review'],
			}),
			async execute(this: IExecuteFunctions) {
				const hidden = stubOptions.hideRunData === true || stubOptions.hideRunDataOf === this.getNode().name;
				const search = findClaims(hidden ? withoutRunData(this) : this);
				const outputs: INodeExecutionData[][] = [[], [], [], []];
				this.getInputData().forEach((item, i) => {
					const found = search.forItem(i);
					findings.push({ seal: this.getNode().name, itemIndex: i, claims: found });
					if (found.isGhost && found.sideways.errors > 0) return;
					const own = this.getNodeParameter('claimSource', i) === 'item' ? claimedHandle(ownValue(item.json, String(this.getNodeParameter('claimField', i)))) : null;
					const handles = own === null ? found.claims.map(({ handle }) => handle) : [own];
					const { output, status } = own === null ? sealItem(item, found, handles) : sealItem(item, TOLD, handles);
					const field = (optionsOf(this, i).outputField as string | undefined) ?? 'idempotency';
					const { error, ...json } = item.json;
					const answer: IDataObject = { status, ...handles[0], lastError: (error ?? null) as IDataObject, message: found.problem?.text ?? null };
					answer.status = status;
					if (status !== 'error' && status !== 'unproven') answer.sealedTokens = handles.map(({ token }) => token);
					outputs[output].push({ json: { ...json, [field]: answer }, pairedItem: { item: i } });
				});
				return outputs;
			},
		};
	}

	private sealItem(item: INodeExecutionData, found: Pick<ItemClaims, 'problem' | 'pinned' | 'onlyDisabledBetween' | 'sideways'>, handles: ClaimHandleJson[]): { output: number; status: string } {
		if (found.problem !== null) return { output: 3, status: 'error' };
		if (found.pinned || found.onlyDisabledBetween) return { output: 3, status: 'unproven' };
		const error = ownValue(item.json, 'error');
		const mixed = error === undefined ? found.sideways.errors > 0 : found.sideways.successes > 0;
		const status = Number(ownValue(error, 'status') ?? 0);
		const state = mixed ? 'review' : error === undefined ? 'succeeded' : status === 429 ? 'retryable' : status >= 400 && status < 500 ? 'failed' : 'review';
		for (const { key, token } of handles) {
			const record = this.records.get(key);
			if (record?.token === token) record.state = state as StubRecord['state'];
		}
		return { output: { succeeded: 0, retryable: 1, failed: 2, review: 3 }[state] ?? 3, status: state };
	}
}

function optionsOf(context: IExecuteFunctions, i: number): IDataObject {
	const options = context.getNodeParameter('options', i, {});
	return typeof options === 'object' && options !== null ? (options as IDataObject) : {};
}

function withoutRunData(context: IExecuteFunctions): IExecuteFunctions {
	return new Proxy(context, {
		get: (target, name) => {
			if (name === 'runExecutionData') return undefined;
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}
