import { createHash } from 'node:crypto';

import { scripts } from './scripts.generated';

export interface Script {
	keys: number;
	source: string;
	/** what EVALSHA knows it by */
	sha: string;
}

export type ScriptName = keyof typeof scripts;

/** One command to a server; the name in lower case, as the driver looks its replies up. */
export interface Call {
	name: string;
	args: Array<string | number>;
	/** where it goes in a cluster, and what two calls of a batch must have in common to need their order */
	key: string;
	script?: Script;
}

const byName = Object.fromEntries(
	Object.entries(scripts).map(([name, script]) => [
		name,
		{ ...script, sha: createHash('sha1').update(script.source).digest('hex') },
	]),
) as Record<ScriptName, Script>;

export function call(key: string, name: string, ...args: Array<string | number>): Call {
	return { name, args, key };
}

/** A command on the key itself: its first argument. */
export function onKey(name: string, key: string, ...args: Array<string | number>): Call {
	return { name, args: [key, ...args], key };
}

export function scriptCall(name: ScriptName, keys: string[], args: string[]): Call {
	const script = byName[name];
	if (keys.length !== script.keys) throw new TypeError(`${name} takes ${script.keys} keys`);
	return { name: 'evalsha', args: [script.sha, keys.length, ...keys, ...args], key: keys[0], script };
}

/** The same calls, the first of each script with its source, which the server then remembers. */
export function sourceFirst(calls: Call[]): Call[] {
	const sent = new Set<Script>();
	return calls.map((each) => {
		if (!each.script || sent.has(each.script)) return each;
		sent.add(each.script);
		return { ...each, name: 'eval', args: [each.script.source, ...each.args.slice(1)] };
	});
}
