import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

/** By the run they belong to; they go with it. */
const tokensOfRuns = new WeakMap<AbortSignal, Map<string, string>>();

/**
 * Fencing tokens for the claims of one run of the node. Retry On Fail calls `execute` again within
 * the same run, and gets the same tokens, so that it is given its own claims back. Anything else (a
 * loop, another run, a retried or resumed execution, the second item of a batch with the same key)
 * gets new ones. The cancel signal tells runs apart: n8n makes one for each, and execution ids come again.
 *
 * A tool gets new ones for every call: agents call tools side by side under one run index.
 */
export function runTokens(context: IExecuteFunctions, isTool: boolean): (key: string) => string {
	const signal = context.getExecutionCancelSignal?.();
	const { runIndex } = context as { runIndex?: unknown };
	if (isTool || signal === undefined || typeof runIndex !== 'number') return () => randomUUID();

	const tokens = tokensOfRuns.get(signal) ?? new Map<string, string>();
	tokensOfRuns.set(signal, tokens);
	const executionId = context.getExecutionId() ?? null;
	const { id, name } = context.getNode();
	const seen = new Map<string, number>();
	return (key) => {
		const occurrence = seen.get(key) ?? 0;
		seen.set(key, occurrence + 1);
		const slot = JSON.stringify([executionId, id, name, runIndex, key, occurrence]);
		const token = tokens.get(slot) ?? randomUUID();
		tokens.set(slot, token);
		return token;
	};
}
