import type { ClaimCommand, ExtendCommand, ReleaseCommand, ResolveCommand, SealCommand } from '../../../ledger/core/commands';
import type { LedgerRecord } from '../../../ledger/core/record';
import type { OutcomeWord } from '../../../ledger/core/states';
import { HOUR, aClaim, aDecision, aRelease, aSeal, anExtend, anOwner } from '../../support/builders';
import { names } from './shapes';

export interface Commands {
	claim: ClaimCommand;
	seal: SealCommand;
	extend: ExtendCommand;
	release: ReleaseCommand;
	resolve: ResolveCommand;
}
export type Method = keyof Commands;

/** A kind of command, made for the record of its cell (or for a key that has none). */
export type Variant = {
	[Name in Method]: { method: Name; name: string; build(number: number, record: LedgerRecord | null): Commands[Name] };
}[Method];

const found: Variant[] = [];

/** Who speaks: the holder, somebody overtaken, or the holder's token with another attempt. */
type Speaker = 'holder' | 'earlier' | 'other attempt';
function speaking(speaker: Speaker, number: number, record: LedgerRecord | null) {
	const { key, holder, earlier } = names(number);
	const attempt = record?.attempt ?? 1;
	if (speaker === 'holder') return { key, token: holder, attempt };
	return speaker === 'earlier' ? { key, token: earlier, attempt: Math.max(1, attempt - 1) } : { key, token: holder, attempt: attempt + 1 };
}

function claim(name: string, own: boolean, fields: Partial<ClaimCommand> | ((record: LedgerRecord | null) => Partial<ClaimCommand>)): void {
	found.push({
		method: 'claim',
		name: `claim by ${own ? 'the same' : 'another'} token, ${name}`,
		build: (number, record) => {
			const { key, holder, stranger } = names(number);
			const given = typeof fields === 'function' ? fields(record) : fields;
			return aClaim({
				key,
				operation: 'cell',
				businessId: String(number),
				token: own ? holder : stranger,
				leaseMs: 2 * HOUR,
				owner: anOwner({ executionId: 'execution-9' }),
				fingerprint: record?.fingerprint ?? null,
				fingerprintFields: record?.fingerprintFields ?? null,
				...given,
			});
		},
	});
}

for (const own of [false, true]) {
	for (const policy of ['review', 'take_over'] as const) claim(`policy ${policy}`, own, { policy });
	claim('another payload', own, { policy: 'take_over', fingerprint: 'v1:other', fingerprintFields: '["amount"]' });
}
claim('other fields', false, { policy: 'take_over', fingerprint: 'v1:stored', fingerprintFields: '["id"]', correlationId: 'trace-9' });
claim('no fingerprint', false, { policy: 'take_over', fingerprint: null, fingerprintFields: null, maxAttempts: 1, retentionSeconds: 0 });
claim('ephemeral', false, (record) => ({ policy: 'take_over', ephemeral: true, correlationId: 'trace-9', scope: record?.scope ?? null }));

const IDS = {
	'no ID': () => null,
	'the record\'s ID': (number: number, record: LedgerRecord | null) => record?.externalId ?? names(number).lateId,
	'another ID': (number: number) => names(number).otherId,
	'the late ID': (number: number) => names(number).lateId,
};

function seal(speaker: Speaker, word: OutcomeWord, name: string, fields: Partial<SealCommand>, id: keyof typeof IDS = 'no ID'): void {
	found.push({
		method: 'seal',
		name: `seal ${word} by ${speaker}, ${name}, ${id}`,
		build: (number, record) => {
			const parts = { operation: 'cell', businessId: String(number), scope: null, version: null, ephemeral: record?.ephemeral ?? false };
			const handle = speaking(speaker, number, record);
			return aSeal({ ...parts, ...handle }, word, { ...handle, executionId: 'execution-9', externalId: IDS[id](number, record), ...fields });
		},
	});
}

for (const id of Object.keys(IDS) as Array<keyof typeof IDS>) {
	seal('holder', 'success', 'with a result', { result: { ok: [1, 'two'] } }, id);
	seal('earlier', 'success', 'with a result', { result: 'late' }, id);
}
seal('holder', 'success', 'from a rerun, ID not unique', { rerun: true, externalIdIsUnique: false });
const FAILURES = ['retryable', 'permanent', 'unknown', 'unknown_retryable'] as const;
for (const word of FAILURES) {
	for (const rerun of [false, true]) seal('holder', word, rerun ? 'from a rerun' : 'first', { rerun, retryDelayMs: 5_000 });
	seal('earlier', word, 'late', { retryDelayMs: 5_000 });
}
seal('holder', 'retryable', 'no error text, before the deadline', { error: null, deadlineSeconds: 86_400, retryDelayMs: HOUR });
seal('holder', 'retryable', 'deadline passed', { deadlineSeconds: 1_800 });
seal('holder', 'unknown_retryable', 'due after the deadline', { deadlineSeconds: 7_200, retryDelayMs: 3 * HOUR });
seal('other attempt', 'success', 'late', {}, 'another ID');
seal('other attempt', 'unknown', 'late', {});

for (const speaker of ['holder', 'earlier', 'other attempt'] as const) {
	const lengths = speaker === 'holder' ? [1, 3 * HOUR] : [3 * HOUR];
	for (const extendMs of lengths) {
		found.push({ method: 'extend', name: `extend by ${speaker}, ${extendMs} ms`, build: (number, record) => anExtend(names(number) as never, { ...speaking(speaker, number, record), extendMs }) });
	}
	for (const rerun of [false, true]) {
		found.push({ method: 'release', name: `release by ${speaker}${rerun ? ', from a rerun' : ''}`, build: (number, record) => aRelease(names(number) as never, { ...speaking(speaker, number, record), rerun, executionId: 'execution-9' }) });
	}
}

function resolve(name: string, decision: ResolveCommand['decision'], fields: Partial<ResolveCommand> = {}): void {
	found.push({
		method: 'resolve',
		name: `resolve ${decision}${name}`,
		build: (number, record) => {
			const { key, holder } = names(number);
			const looked = { key, token: holder, revision: record?.revision ?? 1 };
			const revision = fields.revision === undefined ? looked.revision : looked.revision - 1;
			return aDecision(looked, decision, { ...fields, revision, executionId: 'execution-9' });
		},
	});
}

for (const decision of ['succeeded', 'retry', 'failed'] as const) {
	for (const force of [false, true]) resolve(force ? ' by force' : '', decision, { force });
}
resolve(' with result and ID', 'succeeded', { result: { found: true }, externalId: 'found-later' });
resolve(' by force, with result and ID', 'succeeded', { force: true, result: { found: true }, externalId: 'found-later' });
resolve(' accepting a changed payload', 'retry', { acceptChangedPayload: true, force: true });
resolve(' on another revision, by force', 'succeeded', { force: true, revision: -1 });
resolve(' on another token, by force', 'retry', { force: true, token: 'somebody' });

/** Every kind of command. */
export const VARIANTS: readonly Variant[] = found;
