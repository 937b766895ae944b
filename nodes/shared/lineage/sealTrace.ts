import { addFacts, nearest, unionClues, unionFound, unionTokens, type Found, type Trace } from './trace';

/**
 * The trace below a Seal that sealed these tokens: a claim that is sealed gives way to whatever lies
 * above it, so that an outer Seal finds the outer claim. A token that isn't met yet stays `spent`.
 */
export function sealTrace(trace: Trace, tokens: readonly string[]): Trace {
	if (tokens.length === 0) return trace;
	return new Sealing(unionTokens([trace.spent, new Set(tokens)])).seal(trace);
}

class Sealing {
	private readonly met = new Set<string>();
	private readonly done = new Map<Trace, Trace>();

	constructor(private readonly tokens: ReadonlySet<string>) {}

	seal(trace: Trace): Trace {
		const sealed = this.apply(trace);
		return { ...sealed, spent: new Set([...this.tokens].filter((token) => !this.met.has(token))) };
	}

	/** Claims of a batch share what lies above them, so each such trace is worked on once. */
	private apply(trace: Trace): Trace {
		const before = this.done.get(trace);
		if (before) return before;
		const claims = this.split(trace.claims.open);
		const carried = this.split(trace.carried.open);
		const outer = claims.sealed.map((found) => this.outside(found));
		const outerCarried = carried.sealed.map((found) => this.outside(found));
		const result: Trace = {
			claims: {
				open: nearest(unionFound([claims.open, ...outer.map((one) => one.claims.open)])),
				sealed: nearest(unionFound([trace.claims.sealed, claims.sealed])),
			},
			carried: {
				open: nearest(unionFound([carried.open, ...[...outer, ...outerCarried].map((one) => one.carried.open)])),
				sealed: nearest(unionFound([trace.carried.sealed, carried.sealed])),
			},
			spent: trace.spent,
			clues: unionClues([trace.clues, ...outer.map((one) => one.clues)]),
			wrongLink: [trace, ...outer].map((one) => this.stillWrong(one)).find((wrong) => wrong !== null) ?? null,
		};
		this.done.set(trace, result);
		return result;
	}

	private split(list: readonly Found[]): { open: Found[]; sealed: Found[] } {
		const sealed = list.filter((found) => this.tokens.has(found.handle.token));
		for (const found of sealed) this.met.add(found.handle.token);
		return { open: list.filter((found) => !this.tokens.has(found.handle.token)), sealed };
	}

	/** A Seal that was told the claim (From This Item) has settled what the links got wrong. */
	private stillWrong({ wrongLink }: Trace): Trace['wrongLink'] {
		return wrongLink === null || this.tokens.has(wrongLink.token) ? null : wrongLink;
	}

	/** What lies above a sealed claim; the path down to here is part of the outer claims' path. */
	private outside(inner: Found): Trace {
		const outer = this.apply(inner.outer);
		const longer = (found: Found): Found => ({ ...found, facts: addFacts(found.facts, inner.facts) });
		return {
			...outer,
			claims: { ...outer.claims, open: outer.claims.open.map(longer) },
			carried: { ...outer.carried, open: outer.carried.open.map(longer) },
		};
	}
}
