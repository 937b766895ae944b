import { LedgerError } from '../../ledger/core/errors';

/**
 * Check a number that the user typed or an expression gave. A text of digits counts as a number;
 * nothing, NaN, a boolean and everything out of bounds is refused, never replaced by a default.
 * @throws LedgerError INVALID_PARAMETER naming the parameter
 */
export function checkNumber(
	label: string,
	value: unknown,
	{ min, max, whole = false }: { min: number; max: number; whole?: boolean },
): number {
	const typed = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const number = typed ? Number(value) : NaN;
	if (number >= min && number <= max && (!whole || Number.isInteger(number))) return number;
	const kind = whole ? 'a whole number' : 'a number';
	throw new LedgerError('INVALID_PARAMETER', `${label} must be ${kind} from ${min} to ${max}, not ${shown(value)}`);
}

function shown(value: unknown): string {
	if (value === undefined) return 'undefined';
	if (typeof value === 'number') return String(value);
	return (JSON.stringify(value) ?? typeof value).slice(0, 40);
}
