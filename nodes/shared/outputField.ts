import { LedgerError } from '../../ledger/core/errors';

/** Names that n8n reads itself (an item with `error` has failed), or that reach an object's prototype. */
const REFUSED = ['error', '$error', '$json', '__proto__', 'prototype', 'constructor'];
const LONGEST = 100;

/**
 * Check the name of the field that a node adds to each item.
 * @throws LedgerError INVALID_PARAMETER
 */
export function checkOutputField(value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : '';
	if (name === '') throw invalid('must be a text and not empty');
	if (REFUSED.includes(name)) throw invalid(`must not be "${name}"`);
	if (name.length > LONGEST) throw invalid(`must have at most ${LONGEST} characters`);
	return name;
}

const invalid = (what: string) =>
	new LedgerError('INVALID_PARAMETER', `Output Field ${what}`, {
		advice: 'Choose another name for the field that this node adds to each item, or remove the option.',
	});
