import { LedgerError } from '../../ledger/core/errors';

/**
 * The text of a filter that was given. One that is empty because an expression found nothing would
 * let everything through: refused.
 * @throws LedgerError INVALID_PARAMETER naming the filter
 */
export function filterText(label: string, value: unknown): string {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string' && value !== '') return value;
	throw new LedgerError('INVALID_PARAMETER', `The filter ${label} is empty or not a text`, {
		advice: 'Fill the filter, or remove it.',
	});
}
