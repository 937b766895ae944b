import type { Json } from '../../ledger/core/record';
import { HISTORY_LIMIT } from '../../ledger/core/record';
import { HOUR, aClaim, aDecision, aRecord, aSeal, anOwner, another, nextSerial } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

const TEXTS: Record<string, string> = {
	'composed (NFC)': 'caf\u00e9',
	'decomposed (NFD)': 'cafe\u0301',
	NUL: 'a\0b',
	'a lone high surrogate': 'a\ud800b',
	'a lone low surrogate': '\udc00',
	'the replacement character': 'a\ufffdb',
	emoji: '👩‍👩‍👧 🏳️‍🌈 𝄞',
	'control characters and line separators': '\u0001\u001f\u007f\u2028\u2029\r\n\t',
	'quotes and backslashes': `'"\\ $1 %s {} \\u0000 '; DROP TABLE x; --`,
	'an escape sign': '\u241b0000 \u241b',
	'right to left': '\u202eשלום',
	empty: '',
	'only spaces': '   ',
	long: 'ä€𝄞'.repeat(5_000),
};
const NUMBERS = [0, 1, -1, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e21, 1e308, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, 123456789.12345679];
const VALUES: Record<string, Json> = {
	null: null,
	true: true,
	false: false,
	zero: 0,
	'an empty text': '',
	'an empty list': [],
	'an empty object': {},
	'empty things inside': { list: [], object: {}, lists: [[], [[]], [{}]], null: null, text: '' },
	numbers: NUMBERS,
	'a text that looks like JSON': '{"a":1}',
	'a nested list': [[1, [2, [3]]], { a: [{ b: [] }] }],
	'names that mean something': JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":null,"":"empty","0":0,"a.b":1}') as Json,
	'odd names': { 'a\0b': 1, '\ud800': 2, 'caf\u00e9': 3, 'cafe\u0301': 4, '\u241b0000': 5 },
	'deeply nested': Array.from({ length: 200 }).reduce<Json>((inner, _, index) => (index % 2 === 0 ? [inner] : { in: inner }), 'bottom'),
	'wide': Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`name ${index}`, index])),
	texts: Object.values(TEXTS),
};

export function describeValues(subject: Subject): void {
	describe('values come back exactly as they were given', () => {
		const ledger = usingLedger(subject);
		/** -0 has no JSON text of its own; everything else has to survive. */
		const asJson = (value: Json) => JSON.parse(JSON.stringify(value)) as Json;

		it.each(Object.entries(VALUES))('a result that is %s', async (_name, result) => {
			const claim = aClaim();
			await ledger.claim(claim);
			const { record } = await ledger.seal(aSeal(claim, 'success', { result }));
			expect(record?.result).toEqual(asJson(result));
			expect((await ledger.claim(another(claim))).record?.result).toEqual(asJson(result));
			expect((await ledger.record(claim.key)).result).toEqual(asJson(result));
			expect((await ledger.store.get([claim.key])).records[0]?.result).toEqual(asJson(result));
		});

		it('a result of -0 is a zero', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'success', { result: [-0] }));
			expect(asJson((await ledger.record(claim.key)).result)).toEqual([0]);
		});

		it('a result of a megabyte', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const result = { text: 'ä'.repeat(500_000) };
			await ledger.seal(aSeal(claim, 'success', { result }));
			expect((await ledger.record(claim.key)).result).toEqual(result);
		});

		it.each(Object.entries(TEXTS))('a text that is %s, in every field that people fill', async (_name, text) => {
			const claim = aClaim({
				businessId: text,
				key: `values:${nextSerial()}`,
				operation: `values ${text}`,
				scope: text,
				version: text,
				correlationId: text,
				fingerprintFields: text,
				fingerprint: `v1:${text}`,
				owner: { instanceId: text, workflowId: text, workflowName: text, executionId: text, nodeName: text },
			});
			const { outcome, record } = await ledger.claim(claim);
			const said: Partial<typeof claim> = { ...claim };
			delete said.leaseMs;
			expect(outcome).toBe('claimed');
			expect(record).toMatchObject(said);
			const error = { code: text, httpStatus: 500, message: text };
			const failed = await ledger.seal(aSeal(claim, 'unknown', { error, executionId: text }));
			expect(failed.record).toMatchObject({ ...said, lastError: error });
			const externalId = `${text}#${nextSerial()}`;
			const decision = aDecision(failed.record!, 'succeeded', { who: text, why: text, externalId, result: text, executionId: text });
			const resolved = await ledger.resolve(decision);
			expect(resolved.record).toMatchObject({ ...said, externalId, result: text, decidedBy: { who: text, why: text } });
			expect(resolved.record!.history.at(-1)).toMatchObject({ executionId: text, kept: { who: text, why: text } });
			expect(await ledger.read(claim.key)).toEqual(resolved.record);
			for (const filter of [{ externalId }, { scope: text, operation: `values ${text}` }, { correlationId: text, operation: `values ${text}` }]) {
				const { records } = await ledger.store.list({ limit: 100, ...filter });
				expect(records).toEqual([resolved.record]);
			}
			// The fingerprint is compared as text: nothing is normalised, cut or folded.
			expect((await ledger.claim(another(claim))).outcome).toBe('succeeded');
			expect((await ledger.claim(another(claim, { fingerprintFields: `${text} ` }))).detail).toBe('fields_differ');
		});

		it('texts that only look alike stay apart as external IDs', async () => {
			const run = nextSerial();
			const ids = ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'caf\u00e9 ', 'a\0b', 'a\u241b0000b', 'a', 'A'].map((id) => `${run}#${id}`);
			for (const externalId of ids) {
				const claim = aClaim({ operation: 'alike' });
				await ledger.claim(claim);
				expect((await ledger.seal(aSeal(claim, 'success', { externalId }))).detail).toBeNull();
			}
		});

		it('a token and a fingerprint of any length', async () => {
			const claim = aClaim({ token: 't'.repeat(500), fingerprint: 'f'.repeat(500), fingerprintFields: '["a"]'.repeat(300) });
			await ledger.claim(claim);
			expect(await ledger.claim(claim)).toMatchObject({ outcome: 'claimed', detail: 'own' });
			expect((await ledger.seal(aSeal(claim))).outcome).toBe('sealed');
		});

		it('numbers at their bounds', async () => {
			const claim = aClaim({ leaseMs: 365 * 24 * HOUR, maxAttempts: 1_000_000, retentionSeconds: 100 * 365 * 24 * 3_600 });
			const { record, at } = await ledger.claim(claim);
			expect(record).toMatchObject({ leaseExpiresAt: at + claim.leaseMs, maxAttempts: 1_000_000 });
			const sealed = await ledger.seal(aSeal(claim));
			expect(sealed.record).toMatchObject({ expiresAt: sealed.at + claim.retentionSeconds * 1_000 });
			expect(await ledger.read(claim.key)).toEqual(sealed.record);
		});

		it('an owner of whom nothing is known', async () => {
			const owner = anOwner({ instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: null });
			expect((await ledger.claim(aClaim({ owner }))).record?.owner).toEqual(owner);
		});

		it('an error without code and status, and one that is kept when the next has no text', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const error = { code: null, httpStatus: null, message: '' };
			const failed = await ledger.seal(aSeal(claim, 'retryable', { error }));
			expect(failed.record?.lastError).toEqual({ ...error, at: failed.at });
			const next = another(claim);
			await ledger.claim(next);
			const silent = await ledger.seal(aSeal(next, 'unknown', { attempt: 2, error: null }));
			expect(silent.record?.lastError).toEqual({ ...error, at: failed.at });
		});
	});

	describe('counters and history', () => {
		const ledger = usingLedger(subject);

		it('counters do not raise the revision, every change does', async () => {
			const claim = aClaim({ policy: 'take_over', fingerprint: 'v1:a', fingerprintFields: '["x"]' });
			const revisions: number[] = [];
			const note = async () => void revisions.push((await ledger.record(claim.key)).revision);
			await ledger.claim(claim);
			await note();
			await ledger.claim(another(claim));
			await ledger.claim(another(claim, { fingerprint: 'v1:b' }));
			await ledger.seal(aSeal(another(claim), 'permanent'));
			await note();
			await ledger.claim(claim);
			await note();
			await ledger.pass(claim.key, HOUR);
			await ledger.claim(another(claim));
			await note();
			expect(revisions).toEqual([1, 1, 2, 3]);
			expect((await ledger.record(claim.key)).counters).toEqual({ duplicates: 1, conflicts: 1, takeovers: 1, staleSeals: 1 });
		});

		it('the history tells what happened, oldest first', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			await ledger.seal(aSeal(claim, 'retryable'));
			const next = another(claim);
			await ledger.claim(next);
			await ledger.seal(aSeal(next, 'success', { attempt: 2, executionId: 'execution-2' }));
			const { history } = await ledger.record(claim.key);
			expect(history.map(({ from, to, attempt, executionId, note }) => [from, to, attempt, executionId, note])).toEqual([
				[null, 'processing', 1, 'execution-1', 'first'],
				['processing', 'retryable_failed', 1, 'execution-1', 'retryable'],
				['retryable_failed', 'processing', 2, 'execution-2', 'retry'],
				['processing', 'succeeded', 2, 'execution-2', 'success'],
			]);
		});

		it('of a long history the newest entries are kept', async () => {
			const first = aClaim({ maxAttempts: 100 });
			for (let attempt = 1; attempt <= 15; attempt += 1) {
				const claim = another(first);
				await ledger.claim(claim);
				await ledger.seal(aSeal(claim, 'retryable', { attempt }));
			}
			const { history, revision } = await ledger.record(first.key);
			expect(history).toHaveLength(HISTORY_LIMIT);
			expect(history.at(-1)).toMatchObject({ attempt: 15, to: 'retryable_failed' });
			expect(history[0].attempt).toBe(6);
			expect(revision).toBe(30);
		});

		it('put back by a test, a record is what it was', async () => {
			const record = aRecord(await ledger.now(), { history: [] });
			await ledger.put(record);
			expect(await ledger.read(record.key)).toEqual(record);
		});
	});
}
