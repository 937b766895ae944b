import type { StoredError, Json } from '../../ledger/core/record';
import type { OutcomeWord } from '../../ledger/core/states';
import type { ClaimHandleJson } from '../shared/claimHandle';

/** What one item says of the effect. */
export interface ItemReport {
	itemIndex: number;
	word: OutcomeWord;
	/** one sentence: what was seen */
	evidence: string;
	error: StoredError | null;
	retryAfterMs: number | null;
	result: Json;
	/** what was left out of the result, or null */
	resultNote: string | null;
	externalId: string | null;
	/** the word was read off the item, not given by the user */
	detected: boolean;
	/** other items of this claim, elsewhere on its way, say the contrary */
	mixed: boolean;
}

/** One claimed attempt, with every item of it that reached this node: it is sealed once. */
export interface Attempt {
	handle: ClaimHandleJson;
	reports: ItemReport[];
}

/** What all items of one attempt say together. */
export interface Verdict {
	word: OutcomeWord;
	evidence: string;
	error: StoredError | null;
	retryAfterMs: number | null;
	result: Json;
	externalId: string | null;
}

/** The attempts of a run, in the order in which their first item came. */
export class Attempts {
	private readonly byClaim = new Map<string, Attempt>();
	private readonly byItem = new Map<number, Attempt[]>();

	add(handle: ClaimHandleJson, report: ItemReport): void {
		const claim = JSON.stringify([handle.key, handle.token, handle.attempt]);
		const attempt = this.byClaim.get(claim) ?? { handle, reports: [] };
		this.byClaim.set(claim, attempt);
		attempt.reports.push(report);
		this.byItem.set(report.itemIndex, [...(this.byItem.get(report.itemIndex) ?? []), attempt]);
	}

	get all(): Attempt[] {
		return [...this.byClaim.values()];
	}

	get itemIndexes(): number[] {
		return [...this.byItem.keys()];
	}

	ofItem(itemIndex: number): Attempt[] {
		return this.byItem.get(itemIndex) ?? [];
	}
}

/** Join the reports of one attempt. Doubt wins: what isn't of one voice is for a person. */
export function verdictOf({ reports }: Attempt): Verdict {
	const failed = reports.find((report) => report.error !== null);
	const word = joinWords(reports);
	const same = reports.find((report) => report.word === word) ?? reports[0];
	const waits = reports.map((report) => report.retryAfterMs).filter((wait) => wait !== null);
	return {
		word,
		evidence: word === same.word && !same.mixed ? same.evidence : 'The items of this claim tell of success and of failure',
		error: failed?.error ?? null,
		retryAfterMs: waits.length > 0 ? Math.max(...waits) : null,
		result: reports.length === 1 ? reports[0].result : results(reports),
		externalId: reports.find((report) => report.externalId !== null)?.externalId ?? null,
	};
}

function joinWords(reports: ItemReport[]): OutcomeWord {
	const words = new Set(reports.map((report) => report.word));
	if (reports.some((report) => report.mixed)) return 'unknown';
	if (words.size === 1) return reports[0].word;
	if (words.has('success') || words.has('unknown')) return 'unknown';
	// Neither was carried out, and one of them never will be: trying all of it again can't help.
	if (!words.has('unknown_retryable')) return 'permanent';
	return words.has('permanent') ? 'unknown' : 'unknown_retryable';
}

/** Several items of one claim: all their results, in order; nothing when none has one. */
function results(reports: ItemReport[]): Json {
	const list = reports.map((report) => report.result);
	return list.every((result) => result === null) ? null : list;
}
