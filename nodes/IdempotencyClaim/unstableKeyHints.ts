import type { INode, NodeExecutionHint } from 'n8n-workflow';

const findUnstable = (raw: string) => raw.match(/\$execution/g) ?? [];

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
		if (unstable.length === 0) return [];
		const message = `${label} uses ${unstable.join(', ')}, which is different in every run: duplicates would not be recognized. Use an ID from the business data.`;
		return [{ message, type: 'warning' as const, location: 'outputPane' as const }];
	});
}
