import type { Told } from './World';

/** What the numbers of an answer mean to the one who gets it. */
const MEANING: Record<number, string> = {
	200: 'replayed',
	201: 'charged',
	202: 'in progress',
	409: 'in review',
	422: 'refused',
	500: 'error',
	503: 'try later',
};

const WIDTHS = [36, 28, 28];

/** One row: the cells' lines side by side. */
export function row(...cells: string[][]): string {
	const height = Math.max(...cells.map(({ length }) => length));
	const lines = Array.from({ length: height }, (_, line) =>
		cells.map((cell, column) => (cell[line] ?? '').padEnd(WIDTHS[column])).join('  ').trimEnd(),
	);
	return `${lines.join('\n')}\n`;
}

export function rule(): string {
	return `${WIDTHS.map((width) => '─'.repeat(width)).join('  ')}\n`;
}

/** `2 charges`, or of two orders `2 and 1 charges`; below it what the senders were told. */
export function cell(effects: number[], told: Told[], width = WIDTHS[1]): string[] {
	const isOne = effects.every((count) => count === 1);
	return [`${effects.join(' and ')} charge${isOne ? '' : 's'}`, ...wrap(group(told), width)];
}

function meaning(answer: Told): string {
	if (answer === null) return 'no answer';
	const word = answer.body.reason === 'conflict' ? 'conflict' : (MEANING[answer.status] ?? '');
	return `${answer.status} ${word}`;
}

/** In order; where there are many, how often each. */
function group(told: Told[]): string[] {
	const words = told.map(meaning);
	if (words.length <= 4) return words;
	const counts = new Map<string, number>();
	for (const word of words.sort((a, b) => b.localeCompare(a))) counts.set(word, (counts.get(word) ?? 0) + 1);
	return [...counts].sort((a, b) => a[1] - b[1]).map(([word, count]) => (count === 1 ? word : `${count} × ${word}`));
}

function wrap(words: string[], width: number): string[] {
	const lines: string[] = [];
	for (const [index, word] of words.entries()) {
		const text = index < words.length - 1 ? `${word},` : word;
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + text.length <= width) lines[lines.length - 1] = `${last} ${text}`;
		else lines.push(text);
	}
	return lines;
}
