import { aClaim, anOwner, another, newParts } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeClaiming(subject: Subject): void {
	describe('claiming', () => {
		const ledger = usingLedger(subject);

		it('grants the first claim, and keeps everything that was said', async () => {
			const command = aClaim({
				scope: 'tenant-1',
				version: '2',
				leaseMs: 1_500,
				policy: 'take_over',
				maxAttempts: 7,
				retentionSeconds: 86_400,
				fingerprint: 'v1:abc',
				fingerprintFields: '["amount"]',
				correlationId: 'trace-1',
			});
			const { outcome, detail, record, at } = await ledger.claim(command);
			expect({ outcome, detail }).toEqual({ outcome: 'claimed', detail: 'first' });
			const { leaseMs, ...said } = command;
			expect(record).toEqual({
				...said,
				revision: 1,
				state: 'processing',
				reason: null,
				attempt: 1,
				leaseExpiresAt: at + leaseMs,
				retryAt: null,
				deadlineAt: null,
				result: null,
				externalId: null,
				lateSuccesses: [],
				anomalies: [],
				unknownEarlier: false,
				sealedWord: null,
				decidedBy: null,
				lastError: null,
				counters: { duplicates: 0, conflicts: 0, takeovers: 0, staleSeals: 0 },
				createdAt: at,
				updatedAt: at,
				completedAt: null,
				expiresAt: null,
				history: [
					{ at, from: null, to: 'processing', attempt: 1, executionId: 'execution-1', note: 'first', kept: null },
				],
			});
			expect(await ledger.read(command.key)).toEqual(record);
		});

		it('answers by a clock of now, in whole milliseconds', async () => {
			const { at } = await ledger.claim(aClaim());
			expect(Number.isSafeInteger(at)).toBe(true);
			expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
		});

		it('turns a second claim away while the lease is alive: it changes counters only', async () => {
			const first = aClaim();
			const { record } = await ledger.claim(first);
			const second = await ledger.claim(another(first, { correlationId: 'other', policy: 'take_over' }));
			expect(second).toMatchObject({ outcome: 'in_progress', detail: null });
			expect(second.record).toEqual({ ...record, counters: { ...record!.counters, duplicates: 1 } });
			expect(await ledger.read(first.key)).toEqual(second.record);
		});

		it('turns the same execution away too when it is resumed twice: the token decides, not the execution id', async () => {
			const first = aClaim({ owner: anOwner({ executionId: '77' }) });
			await ledger.claim(first);
			const resumed = await ledger.claim(another(first, { owner: anOwner({ executionId: '77' }) }));
			expect(resumed.outcome).toBe('in_progress');
		});

		it('keeps operations apart: another operation with the same business ID is another claim', async () => {
			const { businessId } = newParts();
			const charge = await ledger.claim(aClaim({ operation: 'charge', businessId }));
			const mail = await ledger.claim(aClaim({ operation: 'mail', businessId }));
			expect([charge.outcome, mail.outcome]).toEqual(['claimed', 'claimed']);
			expect(mail.record?.operation).toBe('mail');
		});

		it('keeps keys apart that differ only in case, in an escaped sign or in a trailing space', async () => {
			const base = `${newParts().key}-a`;
			const keys = [base, base.toUpperCase(), `${base}%20`, `${base}%3A`, `${base}:`, `${base} `];
			const answers = await ledger.store.claim(keys.map((key) => aClaim({ key })));
			expect(answers.map(({ outcome }) => outcome)).toEqual(keys.map(() => 'claimed'));
			const { records } = await ledger.store.get(keys);
			expect(records.map((record) => record?.key)).toEqual(keys);
		});

		it('takes a key of 255 characters', async () => {
			const key = `${newParts().key}:${'x'.repeat(255)}`.slice(0, 255);
			expect((await ledger.claim(aClaim({ key }))).outcome).toBe('claimed');
			expect((await ledger.claim(aClaim({ key }))).outcome).toBe('in_progress');
			expect((await ledger.read(key))?.key).toBe(key);
		});

		it('answers an empty batch with an empty list', async () => {
			const { store } = ledger;
			const answers = [store.claim([]), store.seal([]), store.extend([]), store.release([]), store.resolve([])];
			expect(await Promise.all(answers)).toEqual([[], [], [], [], []]);
			expect((await store.get([])).records).toEqual([]);
		});

		it('reads records in the order asked for, null where there is none, the same key twice', async () => {
			const [one, two] = [aClaim(), aClaim()];
			await ledger.store.claim([one, two]);
			const { records } = await ledger.store.get([two.key, 'charge_card:never', one.key, two.key]);
			expect(records.map((record) => record?.token ?? null)).toEqual([two.token, null, one.token, two.token]);
		});
	});
}
