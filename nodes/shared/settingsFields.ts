import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { LedgerError } from '../../ledger/core/errors';

/** A credential field that can't be used. `label` is what the form calls it; never the value of a secret. */
export const invalidField = (label: string, what: string, cause?: unknown) =>
	new LedgerError('INVALID_SETTINGS', `${label} in the Idempotency Ledger credential ${what}`, { cause });

/** Text of a field, trimmed unless it is a secret; empty when it isn't set. */
export function textField(data: ICredentialDataDecryptedObject, name: string, label: string, fallback = ''): string {
	const value = data[name] ?? fallback;
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') throw invalidField(label, 'must be a text');
	return value.trim();
}

/** Text that must not be empty. */
export function requiredField(data: ICredentialDataDecryptedObject, name: string, label: string, fallback = ''): string {
	const value = textField(data, name, label, fallback);
	if (value === '') throw invalidField(label, 'is empty');
	return value;
}

/** A password as it was typed: spaces may belong to it. */
export function secretField(data: ICredentialDataDecryptedObject, name: string, label: string): string {
	const value = data[name] ?? '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	throw invalidField(label, 'must be a text');
}

/** A whole number within bounds; a text of digits (an expression gives those) is taken as one. */
export function numberField(
	data: ICredentialDataDecryptedObject,
	name: string,
	label: string,
	{ fallback, min, max }: { fallback: number; min: number; max: number },
): number {
	const given = data[name];
	const value = given === undefined || given === null || given === '' ? fallback : Number(given);
	if (Number.isInteger(value) && value >= min && value <= max) return value;
	throw invalidField(label, `must be a whole number from ${min} to ${max}`);
}

/** A switch; an expression may give it as text. Anything else is an error: guessing could weaken a guarantee. */
export function flagField(data: ICredentialDataDecryptedObject, name: string, label: string, fallback: boolean): boolean {
	const value = data[name] ?? fallback;
	if (typeof value === 'boolean') return value;
	if (value === 'true') return true;
	if (value === 'false') return false;
	throw invalidField(label, 'must be true or false');
}

/**
 * A PEM text, or null. A password field of one line turns its line breaks into spaces or `\n`; they
 * are put back, since no TLS library reads it without.
 */
export function pemField(data: ICredentialDataDecryptedObject, name: string, label: string): string | null {
	const text = secretField(data, name, label).replace(/\\n/g, '\n').trim();
	if (text === '') return null;
	const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)];
	if (blocks.length === 0) throw invalidField(label, 'is not in PEM format (-----BEGIN … -----END …)');
	return blocks.map(([, type, body]) => `-----BEGIN ${type}-----\n${pemBody(body)}\n-----END ${type}-----\n`).join('');
}

/** Headers of an encrypted key (`Proc-Type: …`) stay lines of their own, with the empty line they need. */
function pemBody(body: string): string {
	const words = body.trim().split(/\s+/);
	const headers = body.match(/(?:Proc-Type: \S+)|(?:DEK-Info: \S+)/g) ?? [];
	const named = new Set(headers.flatMap((header) => header.split(' ')));
	const base64 = words.filter((word) => !named.has(word)).join('');
	const lines = (base64.match(/.{1,64}/g) ?? []).join('\n');
	return headers.length > 0 ? `${headers.join('\n')}\n\n${lines}` : lines;
}

/** `host:port, [::1]:port, host` as a list; at least one. */
export function nodesField(
	data: ICredentialDataDecryptedObject,
	name: string,
	label: string,
	defaultPort: number,
): Array<{ host: string; port: number }> {
	const parts = requiredField(data, name, label)
		.split(/[\s,;]+/)
		.filter((part) => part !== '');
	if (parts.length === 0) throw invalidField(label, 'names no host');
	return parts.map((part) => {
		const found = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(part);
		const port = Number(found?.[3] ?? defaultPort);
		if (!found || port < 1 || port > 65535) {
			throw invalidField(label, 'must be hosts with ports, such as redis-1:6379, redis-2:6379');
		}
		return { host: found[1] ?? found[2], port };
	});
}
