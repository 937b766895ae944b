/** Something in an expression that differs from run to run, so that duplicates get keys of their own. */
export interface UnstablePart {
	/** as written, e.g. `$execution` */
	text: string;
	/** one sentence without a final period */
	reason: string;
}

const UNSTABLE: Array<{ pattern: RegExp; text: string; reason: string }> = [
	{ pattern: /\$execution(?:Id)?\b/, text: '$execution', reason: 'every run, also a redelivery or a retry, has another execution ID' },
	{ pattern: /\$now\b/, text: '$now', reason: 'the time of the run is never the same twice' },
	{ pattern: /\$today\b/, text: '$today', reason: 'a redelivery after midnight gets another key; take the date from the data, such as the scheduled time' },
	{ pattern: /\$runIndex\b/, text: '$runIndex', reason: 'it counts the runs of a node within one execution and says nothing of the data' },
	{ pattern: /\bDate\s*\.\s*now\b/, text: 'Date.now', reason: 'the time of the run is never the same twice' },
	{ pattern: /\bDateTime\s*\.\s*(?:now\b|(?:local|utc)\s*\(\s*\))/, text: 'DateTime.now', reason: 'the time of the run is never the same twice' },
	// With an argument it's a date of the data, the same in every run.
	{ pattern: /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/, text: 'new Date()', reason: 'the time of the run is never the same twice' },
	{ pattern: /\bMath\s*\.\s*random\b/, text: 'Math.random', reason: 'it gives another number in every run' },
	{ pattern: /(?<![a-z])(?:random)?uuid/i, text: 'uuid', reason: 'a UUID made during the run is new every time; only one that came with the data identifies it' },
];

/**
 * What in a raw parameter can't work as a key. Only expressions are looked at, that is a text that
 * begins with `=`, and of it only what stands between the braces. A hint, no proof: a UUID that came
 * with the data is fine, and a value made unstable by an earlier node isn't seen.
 */
export function findUnstable(rawExpression: string): UnstablePart[] {
	if (!rawExpression.startsWith('=')) return [];
	const code = Array.from(rawExpression.matchAll(/\{\{([\s\S]*?)\}\}/g), ([, inside]) => inside).join('\n');
	return UNSTABLE.filter(({ pattern }) => pattern.test(code)).map(({ text, reason }) => ({ text, reason }));
}
