import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type JsonObject,
} from 'n8n-workflow';

import { describe } from './describe';

export interface EffectCall {
	json: IDataObject;
	itemIndex: number;
	item: INodeExecutionData;
	context: IExecuteFunctions;
}

/** JSON of the answer; several = fan-out; [] = the effect returns no item; `failed(…)` = it failed. */
export type EffectAnswer = IDataObject | IDataObject[] | Failure;

/** What the effect does for one item. Called once an item, so it is the place to count effects. */
export type EffectScript = (call: EffectCall) => EffectAnswer | Promise<EffectAnswer>;

class Failure {
	constructor(readonly error: IDataObject) {}
}

/** The answer of an effect that failed, with the error as HTTP Request shows it under On Error = Continue. */
export function failed(error: IDataObject): Failure {
	return new Failure(error);
}

/** `failed(httpError(422))`: an answer with that status. */
export function httpError(status: number, message = `Request failed with status code ${status}`): IDataObject {
	return { message, name: 'AxiosError', code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE', status };
}

/** `failed(networkError('ECONNRESET'))`: no answer at all. */
export function networkError(code: string, message = code): IDataObject {
	return { message, name: 'Error', code };
}

/**
 * `test.effect`: calls its script once for each item, as HTTP Request does: its JSON is replaced by the
 * answer, each item is linked to the one it came of, and errors go where On Error says.
 */
export function effectNode(scripts: Record<string, EffectScript>): INodeType {
	return {
		description: describe('effect'),
		async execute(this: IExecuteFunctions) {
			const node = this.getNode();
			const script = Object.hasOwn(scripts, node.name) ? scripts[node.name] : () => ({ ok: true });
			const output: INodeExecutionData[] = [];
			for (const [itemIndex, item] of this.getInputData().entries()) {
				const answer = await script({ json: item.json, itemIndex, item, context: this });
				if (answer instanceof Failure) {
					if (!this.continueOnFail()) throw new NodeApiError(node, answer.error as JsonObject, { itemIndex });
					// n8n moves such an item to the error output, if there is one, and merges the input into it.
					output.push({ json: { error: { ...answer.error } }, pairedItem: { item: itemIndex } });
					continue;
				}
				const answers = Array.isArray(answer) ? answer : [answer];
				output.push(...answers.map((json) => ({ json: { ...json }, pairedItem: { item: itemIndex } })));
			}
			return [output];
		},
	};
}
