// STAND-IN until ledger/core/key.ts is there
import { createHmac } from 'node:crypto';
import type { KeyParts } from '../../ledger/core/commands';
import { LedgerError } from '../../ledger/core/errors';
export function keyOf(v: { operation: unknown; businessId: unknown; options: Record<string, unknown>; test: boolean }, secret: string | null): KeyParts {
	const part = (p: unknown, n: string) => { if (typeof p !== 'string' || p === '') throw new LedgerError('INVALID_KEY_PART', `${n} is empty`); return p; };
	if (!['string', 'number'].includes(typeof v.businessId) || v.businessId === '') throw new LedgerError('INVALID_BUSINESS_ID', 'The business ID is missing');
	let id = String(v.businessId);
	if (v.options.trim) id = id.trim();
	if (v.options.lowerCase) id = id.toLowerCase();
	if (v.options.hashBusinessId) id = '~sha256-' + createHmac('sha256', secret ?? '').update(id).digest('hex');
	const scope = 'scope' in v.options ? part(v.options.scope, 'Scope') : null;
	const version = 'version' in v.options ? part(v.options.version, 'Version') : null;
	const operation = part(v.operation, 'Operation');
	return { key: `${operation}${v.test ? '~test' : ''}${scope ? '@' + scope : ''}:${id}${version ? '#' + version : ''}`, operation, businessId: id, scope, version };
}
