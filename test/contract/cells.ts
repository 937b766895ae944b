import type { LedgerRecord } from '../../ledger/core/record';
import type { Subject } from '../support/subject';
import { SHAPES, names } from './cells/shapes';
import type { Shape } from './cells/shapes';
import { VARIANTS } from './cells/variants';
import type { Commands, Method, Variant } from './cells/variants';
import { usingLedger } from './ledger';
import { decide, differences, recordDifferences, run } from './specified';

/** Cells per batch. */
const BATCH = 400;
/** One of so many cells of the full product is run (every shape and every variant still is); 1 = all. */
const EVERY = Number(process.env.LEDGER_TEST_CELLS_EVERY ?? 3);
/** So many differing cells are reported in full. */
const REPORTED = 5;

interface Cell {
	shape: Shape;
	variant: Variant;
	number: number;
	record: LedgerRecord | null;
	command: Commands[Method];
}

/**
 * All cells of the tables: every relevant kind of record meets every kind of command. Outcome, detail
 * and the whole record are as the specification says for the moment at which the store decided.
 */
export function describeCells(subject: Subject): void {
	describe('all cells of the tables', () => {
		const ledger = usingLedger(subject);
		const methods = ['claim', 'seal', 'extend', 'release', 'resolve'] as const;

		it.each(methods)('%s: as specified on every kind of record', async (method) => {
			const variants = VARIANTS.map((variant, index) => ({ variant, index })).filter(({ variant }) => variant.method === method);
			const chosen = SHAPES.flatMap((shape, place) =>
				variants
					.filter(({ index }) => shape.name === 'none' || (place + index) % EVERY === 0)
					.map(({ variant, index }) => ({ shape, variant, number: place * VARIANTS.length + index })),
			);
			expect(chosen.length).toBeGreaterThan(500);
			const wrong: string[] = [];
			for (let from = 0; from < chosen.length; from += BATCH) {
				const now = await ledger.now();
				const cells = chosen.slice(from, from + BATCH).map(({ shape, variant, number }): Cell => {
					const record = shape.build(number, now);
					return { shape, variant, number, record, command: variant.build(number, record) };
				});
				wrong.push(...(await differing(method, cells)));
			}
			if (wrong.length > 0) {
				const shown = wrong.slice(0, REPORTED).join('\n\n');
				throw new Error(`${wrong.length} of ${chosen.length} cells differ from the specification. The first:\n\n${shown}`);
			}
		}, 120_000);

		async function differing(method: Method, cells: Cell[]): Promise<string[]> {
			await Promise.all(cells.map(({ record }) => record && ledger.put(record)));
			const answers = await run(ledger.store, method, cells.map(({ command }) => command));
			const { records } = await ledger.store.get(cells.map(({ number }) => names(number).key));
			return cells.flatMap(({ shape, variant, record, command }, index) => {
				const got = answers[index];
				const specified = decide(method, record, command, got?.at ?? 0);
				const lines = differences(specified, got);
				const stored = recordDifferences(specified.record, records[index]).map((line) => `stored ${line}`);
				if (lines.length + stored.length === 0) return [];
				return [[`${shape.name}\n  ${variant.name}`, ...lines, ...stored].join('\n    ')];
			});
		}
	});
}
