import { aClaim, aRelease, aSeal, anExtend, another } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

const outcomesOf = (answers: Array<{ outcome: string }>) => answers.map(({ outcome }) => outcome);

export function describeBatches(subject: Subject): void {
	describe('batches', () => {
		const ledger = usingLedger(subject);

		it('are answered in the order asked, whatever the order of the keys', async () => {
			const claims = ['m', 'z', 'a', 'q', 'b'].map((letter) => aClaim({ key: `${letter}:${aClaim().key}` }));
			const answers = await ledger.store.claim(claims);
			expect(answers.map(({ record }) => record?.token)).toEqual(claims.map(({ token }) => token));
			const sealed = await ledger.store.seal([...claims].reverse().map((claim) => aSeal(claim)));
			expect(sealed.map(({ record }) => record?.key)).toEqual(claims.map(({ key }) => key).reverse());
		});

		it('with a repeated key: the first one is claimed, the others find it', async () => {
			const claim = aClaim();
			const other = aClaim();
			const answers = await ledger.store.claim([claim, another(claim), other, another(claim)]);
			expect(outcomesOf(answers)).toEqual(['claimed', 'in_progress', 'claimed', 'in_progress']);
			expect(answers.map(({ record }) => record?.counters.duplicates)).toEqual([0, 1, 0, 2]);
			expect((await ledger.record(claim.key)).token).toBe(claim.token);
		});

		it('with a repeated key of one token: each is told that it holds', async () => {
			const claim = aClaim();
			const answers = await ledger.store.claim([claim, claim]);
			expect(answers.map(({ detail }) => detail)).toEqual(['first', 'own']);
		});

		it('with a repeated key and differing payloads: the second is a conflict', async () => {
			const claim = aClaim({ fingerprint: 'v1:a', fingerprintFields: '["x"]' });
			const answers = await ledger.store.claim([claim, another(claim, { fingerprint: 'v1:b' }), another(claim)]);
			expect(outcomesOf(answers)).toEqual(['claimed', 'conflict', 'in_progress']);
		});

		it('of seals for one key act one after the other, in order', async () => {
			const [one, two] = [aClaim(), aClaim()];
			await ledger.store.claim([one, two]);
			const answers = await ledger.store.seal([
				aSeal(one, 'unknown'),
				aSeal(two, 'success', { result: 'first' }),
				aSeal(one, 'success', { result: 'after all' }),
				aSeal(two, 'success', { result: 'second' }),
			]);
			expect(answers.map(({ outcome, detail, record }) => [outcome, detail, record?.state])).toEqual([
				['sealed', null, 'needs_review'],
				['sealed', null, 'succeeded'],
				['sealed', null, 'succeeded'],
				['sealed', 'again', 'succeeded'],
			]);
			expect((await ledger.record(one.key)).result).toBe('after all');
			expect((await ledger.record(two.key)).result).toBe('first');
		});

		it('of releases and extensions for one key act in order too', async () => {
			const claim = aClaim();
			await ledger.claim(claim);
			const extended = await ledger.store.extend([anExtend(claim, { extendMs: 1 }), anExtend(claim, { extendMs: 9e6 })]);
			expect(extended.map(({ record }) => record?.revision)).toEqual([2, 3]);
			expect(outcomesOf(await ledger.store.release([aRelease(claim), aRelease(claim)]))).toEqual(['released', 'released']);
			expect(outcomesOf(await ledger.store.claim([claim, another(claim)]))).toEqual(['claimed', 'in_progress']);
		});

		it('mix every outcome', async () => {
			const claims = Array.from({ length: 5 }, () => aClaim({ fingerprint: 'v1:a', fingerprintFields: '["x"]' }));
			const [busy, done, failed, conflicting] = claims;
			await ledger.store.claim([busy, done, failed, conflicting]);
			await ledger.store.seal([aSeal(done), aSeal(failed, 'unknown')]);
			const again = claims.map((claim) => another(claim));
			again[3] = { ...again[3], fingerprint: 'v1:b' };
			expect(outcomesOf(await ledger.store.claim(again))).toEqual(['in_progress', 'succeeded', 'needs_review', 'conflict', 'claimed']);
		});

		it('of 1,000 items with 250 repeated keys are claimed and sealed', async () => {
			const different = Array.from({ length: 750 }, () => aClaim());
			const claims = [...different, ...different.slice(0, 250).map((claim) => another(claim))];
			const answers = await ledger.store.claim(claims);
			expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(750);
			expect(outcomesOf(answers.slice(750))).toEqual(Array(250).fill('in_progress'));
			expect(answers.every(({ record }, index) => record?.key === claims[index].key)).toBe(true);
			const sealed = await ledger.store.seal(different.map((claim, index) => aSeal(claim, 'success', { result: { index } })));
			expect(sealed.every(({ outcome, record }, index) => outcome === 'sealed' && (record?.result as { index: number }).index === index)).toBe(true);
			const { records } = await ledger.store.get(claims.map(({ key }) => key));
			expect(records.every((record) => record?.state === 'succeeded')).toBe(true);
		}, 60_000);

		it('in opposite key orders, at the same time, neither deadlock nor grant anything twice', async () => {
			const other = await ledger.another();
			for (let round = 0; round < 5; round += 1) {
				const up = Array.from({ length: 60 }, () => aClaim());
				const down = up.map((claim) => another(claim)).reverse();
				const [first, second] = await Promise.all([ledger.store.claim(up), other.claim(down)]);
				const granted = [...first, ...second].filter(({ outcome }) => outcome === 'claimed');
				expect(granted).toHaveLength(60);
				expect(new Set(granted.map(({ record }) => record?.key)).size).toBe(60);
				const holders = granted.map(({ record }) => ({ ...up[0], key: record!.key, token: record!.token }));
				const half = holders.slice(0, 40);
				const seals = await Promise.all([
					ledger.store.seal(half.map((claim) => aSeal(claim))),
					other.seal([...half].reverse().map((claim) => aSeal(claim))),
				]);
				const details = seals.flat().map(({ outcome, detail }) => `${outcome} ${detail}`);
				expect(details.filter((detail) => detail === 'sealed null')).toHaveLength(40);
				expect(details.filter((detail) => detail === 'sealed again')).toHaveLength(40);
			}
			await other.close();
		}, 60_000);
	});
}
