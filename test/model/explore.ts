import { Violation, checkWorld } from './invariants';
import { stepsFrom } from './steps';
import { SPECIFICATION, beginning, textOf } from './world';
import type { Rules, Setting, World } from './world';

export interface Exploration {
	/** different worlds seen */
	worlds: number;
	steps: number;
	/** false when the limit was reached before everything was seen */
	complete: boolean;
	/** the first guarantee found broken, with the shortest way there */
	violation: { guarantee: string; trace: string[] } | null;
	/** states of the record with their reasons that were seen */
	states: Set<string>;
}

/** Breadth first over everything that can happen, each world once; stops at the first broken guarantee. */
export function explore(setting: Setting, rules: Rules = SPECIFICATION, limit = Infinity): Exploration {
	const first = beginning(setting);
	const seen = new Set([textOf(first)]);
	const states = new Set<string>();
	// The way back: where each world came from, and by which step.
	const worlds: Array<World | null> = [first];
	const parents = [-1];
	const labels = [''];
	let steps = 0;

	const trace = (from: number, label: string) => {
		const way = [label];
		for (let index = from; index > 0; index = parents[index]) way.unshift(labels[index]);
		return way;
	};
	for (let index = 0; index < worlds.length; index += 1) {
		const world = worlds[index]!;
		worlds[index] = null;
		for (const { label, next } of stepsFrom(world, setting, rules)) {
			steps += 1;
			try {
				const reached = next();
				checkWorld(reached, setting);
				const text = textOf(reached);
				if (seen.has(text)) continue;
				if (reached.record) states.add([reached.record.state, reached.record.reason].filter((word) => word !== null).join(' '));
				seen.add(text);
				worlds.push(reached);
				parents.push(index);
				labels.push(label);
			} catch (error) {
				if (!(error instanceof Violation)) throw error;
				return { worlds: seen.size, steps, complete: false, violation: { guarantee: error.message, trace: trace(index, label) }, states };
			}
		}
		if (seen.size > limit) return { worlds: seen.size, steps, complete: false, violation: null, states };
	}
	return { worlds: seen.size, steps, complete: true, violation: null, states };
}
