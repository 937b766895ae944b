import { DAY, aClaim, aDecision, aRecord, aSeal, newToken, nextSerial } from '../support/builders';
import type { ClaimCommand, SealCommand } from '../../ledger/core/commands';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

export function describeAnomalies(subject: Subject): void {
	describe('external IDs and anomalies', () => {
		const ledger = usingLedger(subject);
		const newId = () => `shared-id-${nextSerial()}`;

		async function sealed(externalId: string | null, claim: ClaimCommand = aClaim(), changes: Partial<SealCommand> = {}) {
			await ledger.claim(claim);
			return { claim, ...(await ledger.seal(aSeal(claim, 'success', { externalId, ...changes }))) };
		}

		it('an ID that another key of the operation has is named, and the success stands', async () => {
			const externalId = newId();
			const first = await sealed(externalId);
			const second = await sealed(externalId);
			expect(first.detail).toBeNull();
			expect(second).toMatchObject({ outcome: 'sealed', detail: 'anomaly' });
			expect(second.record).toMatchObject({
				state: 'succeeded',
				externalId,
				anomalies: [{ kind: 'shared_external_id', externalId, otherKey: first.claim.key }],
			});
			expect(await ledger.read(second.claim.key)).toEqual(second.record);
			expect((await ledger.record(first.claim.key)).anomalies).toEqual([]);
		});

		it('is looked for again when the success is said again, and noted once', async () => {
			const externalId = newId();
			await sealed(externalId);
			const { claim, record } = await sealed(externalId);
			expect(await ledger.seal(aSeal(claim, 'success', { externalId }))).toMatchObject({ outcome: 'sealed', detail: 'anomaly', record });
		});

		it('is no anomaly in another operation, nor when the look is switched off, nor without an ID', async () => {
			const externalId = newId();
			await sealed(externalId);
			expect((await sealed(externalId, aClaim({ operation: 'other' }))).detail).toBeNull();
			expect((await sealed(externalId, aClaim(), { externalIdIsUnique: false })).detail).toBeNull();
			expect((await sealed(null)).detail).toBeNull();
			expect((await sealed(null)).detail).toBeNull();
		});

		it('is no anomaly beside a record that is over', async () => {
			const externalId = newId();
			const { claim } = await sealed(externalId, aClaim({ retentionSeconds: 60 }));
			await ledger.pass(claim.key, DAY);
			expect((await sealed(externalId)).detail).toBeNull();
		});

		it('is found on a record in whatever state it is', async () => {
			const externalId = newId();
			const now = await ledger.now();
			const other = aRecord(now, { state: 'needs_review', reason: 'mixed_outcomes', sealedWord: 'success', externalId });
			await ledger.put(other);
			expect((await sealed(externalId)).record?.anomalies).toMatchObject([{ otherKey: other.key }]);
		});

		it('is named on one record at least when two seals of one batch bring it', async () => {
			const externalId = newId();
			const claims = [aClaim(), aClaim()];
			await ledger.store.claim(claims);
			await ledger.store.seal(claims.map((claim) => aSeal(claim, 'success', { externalId })));
			const { records } = await ledger.store.get(claims.map(({ key }) => key));
			const named = records.flatMap((record) => record!.anomalies.map(({ otherKey }) => otherKey));
			expect(named.length).toBeGreaterThan(0);
			expect(records.every((record) => record?.state === 'succeeded')).toBe(true);
		});

		it('a second success with another ID means that the effect happened twice', async () => {
			const [first, second] = [newId(), newId()];
			const { claim } = await sealed(first);
			const { outcome, detail, record } = await ledger.seal(aSeal(claim, 'success', { externalId: second, result: 'not this' }));
			expect({ outcome, detail }).toEqual({ outcome: 'sealed', detail: 'anomaly' });
			expect(record).toMatchObject({ externalId: first, result: null, anomalies: [{ kind: 'second_effect', externalId: second }] });
		});

		it('a success without ID takes the one that is said later', async () => {
			const { claim } = await sealed(null);
			const externalId = newId();
			expect(await ledger.seal(aSeal(claim, 'success', { externalId }))).toMatchObject({ detail: 'again', record: { externalId, anomalies: [] } });
			expect((await sealed(externalId)).detail).toBe('anomaly');
		});

		it('the one that is said later contradicts a late success that was kept when there was none', async () => {
			const { claim } = await sealed(null);
			const late = aSeal(claim, 'success', { externalId: newId(), token: newToken() });
			expect(await ledger.seal(late)).toMatchObject({ outcome: 'stale', record: { anomalies: [] } });
			const externalId = newId();
			expect(await ledger.seal(aSeal(claim, 'success', { externalId }))).toMatchObject({
				outcome: 'sealed',
				detail: 'anomaly',
				record: { externalId, anomalies: [{ kind: 'second_effect', externalId: late.externalId }] },
			});
		});

		it('are acknowledged by a person, and go into the history', async () => {
			const externalId = newId();
			await sealed(externalId);
			const { record } = await sealed(externalId);
			const resolved = await ledger.resolve(aDecision(record!, 'succeeded'));
			expect(resolved).toMatchObject({ outcome: 'resolved', record: { state: 'succeeded', externalId, anomalies: [] } });
			expect(resolved.record!.history.at(-1)!.kept).toEqual({ who: 'ada', why: 'looked it up at the provider', anomalies: record!.anomalies });
		});

		it('more than five are not kept', async () => {
			const { claim } = await sealed(newId());
			for (let index = 0; index < 7; index += 1) await ledger.seal(aSeal(claim, 'success', { externalId: newId() }));
			expect((await ledger.record(claim.key)).anomalies).toHaveLength(5);
		});
	});
}
