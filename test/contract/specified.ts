import type { Answer } from '../../ledger/core/commands';
import type { LedgerRecord } from '../../ledger/core/record';
import type { LedgerStore } from '../../ledger/core/store';
import { decideClaim, decideExtend, decideRelease, decideResolve, decideSeal } from '../../ledger/core/transitions';
import type { Commands, Method } from './cells/variants';

type AnyAnswer = Answer<string>;

const DECIDE = {
	claim: decideClaim,
	seal: decideSeal,
	extend: decideExtend,
	release: decideRelease,
	resolve: decideResolve,
} as { [Name in Method]: (record: LedgerRecord | null, command: Commands[Name], now: number) => AnyAnswer };

/** What the specification answers; it knows one key only, so it doesn't look at other keys' external IDs. */
export function decide<Name extends Method>(
	method: Name,
	record: LedgerRecord | null,
	command: Commands[Name],
	now: number,
): AnyAnswer {
	return DECIDE[method](record, command, now);
}

/** Run a batch by method name. */
export async function run<Name extends Method>(
	store: LedgerStore,
	method: Name,
	commands: Array<Commands[Name]>,
): Promise<AnyAnswer[]> {
	const bound = store[method].bind(store) as (commands: Array<Commands[Name]>) => Promise<AnyAnswer[]>;
	return await bound(commands);
}

const FIELDS = ['outcome', 'detail', 'at'] as const;

/** The fields in which an answer differs from the specified one, one line each; empty when none. */
export function differences(expected: AnyAnswer, got: AnyAnswer | undefined): string[] {
	if (same(expected, got)) return [];
	if (got === undefined) return ['no answer'];
	const lines = FIELDS.filter((name) => expected[name] !== got[name]).map((name) =>
		differs(name, expected[name], got[name]),
	);
	return [...lines, ...recordDifferences(expected.record, got.record)];
}

/** The same for two records. */
export function recordDifferences(expected: LedgerRecord | null, got: LedgerRecord | null | undefined): string[] {
	if (same(expected, got)) return [];
	if (expected === null || got === null || got === undefined) return [differs('record', expected, got)];
	const fields = new Set([...Object.keys(expected), ...Object.keys(got)]) as Set<keyof LedgerRecord>;
	return [...fields]
		.filter((name) => !same(expected[name], got[name]))
		.map((name) => differs(`record.${name}`, expected[name], got[name]));
}

/**
 * Equal as JSON values, whatever realm their prototypes are of (Jest's tests have one of their own).
 * The suites compare tens of thousands of records; `toEqual` takes ten times as long.
 */
export function same(one: unknown, other: unknown): boolean {
	if (Object.is(one, other)) return true;
	if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const names = Object.keys(one);
	if (names.length !== Object.keys(other).length) return false;
	return names.every((name) => Object.hasOwn(other, name) && same(one[name as never], other[name as never]));
}

/** Of lists, only the first entry that differs: a history has twenty. */
function differs(name: string, expected: unknown, got: unknown): string {
	if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
		const place = expected.findIndex((entry, index) => !same(entry, got[index]));
		return differs(`${name}[${place}]`, expected[place], got[place]);
	}
	return `${name}: specified ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
