/**
 * Field paths: names joined by dots, `lines.0.sku`. A dot always separates; one that belongs to a name
 * is written `\.`, a backslash `\\`, so that a path means one place only, whatever the item looks like.
 * Only own properties are followed (never the prototype), and only digits into lists.
 */
export type FieldPath = string[];

/** The names of a path, or null when one of them is empty. */
export function parseFieldPath(text: string): FieldPath | null {
	const names = [''];
	for (let i = 0; i < text.length; i++) {
		const escaped = text[i] === '\\' && (text[i + 1] === '.' || text[i + 1] === '\\');
		if (escaped) names[names.length - 1] += text[++i];
		else if (text[i] === '.') names.push('');
		else names[names.length - 1] += text[i];
	}
	return names.includes('') ? null : names;
}

/** The one text of a path; `parseFieldPath` gives the path back. */
export function formatFieldPath(path: FieldPath): string {
	return path.map((name) => name.replace(/[\\.]/g, '\\$&')).join('.');
}

export type FieldRead =
	| { found: true; value: unknown }
	/** `parent` is the innermost value that was reached, `depth` how many names led to it */
	| { found: false; parent: unknown; depth: number };

/** Follow a path. A property that holds undefined isn't found, as in JSON. Getters may throw. */
export function readField(root: unknown, path: FieldPath): FieldRead {
	let value = root;
	for (const [depth, name] of path.entries()) {
		const next = ownValue(value, name);
		if (next === undefined) return { found: false, parent: value, depth };
		value = next;
	}
	return { found: true, value };
}

function ownValue(value: unknown, name: string): unknown {
	if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
	if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
	return (value as Record<string, unknown>)[name];
}

const MOST_NAMES = 5;

/**
 * What to tell a person whose path led nowhere: the names that are there and look like the missing
 * one, else the first ones that are there, as paths. Empty when there are none.
 */
export function nearbyFields(path: FieldPath, { parent, depth }: { parent: unknown; depth: number }): string[] {
	if (parent === null || typeof parent !== 'object') return [];
	const names = Object.keys(parent);
	const wanted = [path[depth], path.slice(depth).join('.'), path.at(-1)!].map(plain);
	const close = names.filter((name) => wanted.some((one) => isClose(plain(name), one)));
	const shown = (close.length > 0 ? close : names).slice(0, MOST_NAMES);
	return shown.map((name) => formatFieldPath([...path.slice(0, depth), name]));
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

function isClose(one: string, other: string): boolean {
	if (one === '' || other === '') return false;
	if (one === other) return true;
	if (Math.min(one.length, other.length) >= 3 && (one.includes(other) || other.includes(one))) return true;
	return Math.max(one.length, other.length) <= 64 && editDistance(one, other) <= Math.floor(other.length / 3);
}

/** Levenshtein: how many letters to add, drop or change. */
function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_none, i) => i);
	for (let i = 0; i < one.length; i++) {
		const next = [i + 1];
		for (let j = 0; j < other.length; j++) {
			next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (one[i] === other[j] ? 0 : 1)));
		}
		row = next;
	}
	return row[other.length];
}
