// STAND-IN
import { createHash } from 'node:crypto';
import { LedgerError } from '../../ledger/core/errors';
export function fingerprintOfItem(context: any, i: number, json: any, options: any): { fingerprint: string | null; fingerprintFields: string | null } {
	const h = (x: unknown) => createHash('sha256').update(JSON.stringify(x)).digest('hex');
	if (options.fingerprintWholeItem) return { fingerprint: h(Object.entries(json).sort()), fingerprintFields: '*' };
	const raw = context.getNodeParameter('fingerprintFields', i, '');
	if (typeof raw !== 'string' && !Array.isArray(raw)) throw new LedgerError('INVALID_FINGERPRINT', 'Fields That Must Not Change must be a text or a list');
	const names = (Array.isArray(raw) ? raw : raw.split(',')).map((n: string) => n.trim()).filter(Boolean).sort();
	if (!names.length) return { fingerprint: null, fingerprintFields: null };
	const v = names.map((n: string) => { const x = n.split('.').reduce((o: any, k: string) => o?.[k], json); if (x === undefined) throw new LedgerError('INVALID_FINGERPRINT', `The item has no field ${n}`); return x; });
	return { fingerprint: h(v), fingerprintFields: names.join(', ') };
}
