import type { INode, NodeExecutionHint } from 'n8n-workflow';

import { findUnstable } from '../../ledger/core/unstableExpressions';

/** Parameters that make the key, by what the form calls them. */
const KEY_PARAMETERS: Array<[label: string, path: string[]]> = [
	['Operation', ['operation']],
	['Business ID', ['businessId']],
	['Scope', ['options', 'scope']],
	['Version', ['options', 'version']],
];

/** Keys that are new in every run, and so stop no duplicate: seen in the raw expressions of the node. */
export function unstableKeyHints({ parameters }: INode): NodeExecutionHint[] {
	return KEY_PARAMETERS.flatMap(([label, path]) => {
		const raw = path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], parameters);
		const unstable = typeof raw === 'string' ? findUnstable(raw) : [];
		return unstable.map(({ text, reason }) => ({
			message: `${label} uses ${text}: ${reason}. Duplicates would not be recognized; use an ID from the business data.`,
			type: 'warning' as const,
			location: 'outputPane' as const,
		}));
	});
}
