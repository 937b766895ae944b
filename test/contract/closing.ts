import { aClaim, aDecision, aRecord, aRelease, aSeal, anExtend } from '../support/builders';
import type { Subject } from '../support/subject';
import { usingLedger } from './ledger';

/** What the suite's own PostgreSQL lacks, so that it is quick. */
const QUICK_SERVER = /^(fsync|full_page_writes) is off/;

export function describeClosing(subject: Subject): void {
	describe('opening, inspecting and closing', () => {
		const ledger = usingLedger(subject);

		it('names its kind, and finds no problem on a healthy server', async () => {
			expect(ledger.store.kind).toBe(subject.name);
			const { server, findings } = await ledger.store.inspect();
			expect(server.length).toBeGreaterThan(0);
			const problems = findings.filter(({ level, text }) => level === 'problem' && !QUICK_SERVER.test(text));
			expect(problems).toEqual([]);
			expect(findings.every(({ text }) => text.length > 0)).toBe(true);
		});

		it('two clients see one ledger', async () => {
			const other = await ledger.another();
			const claim = aClaim();
			await ledger.claim(claim);
			expect((await other.get([claim.key])).records[0]).toEqual(await ledger.record(claim.key));
			await other.seal([aSeal(claim, 'success', { result: 'seen' })]);
			expect((await ledger.record(claim.key)).result).toBe('seen');
			await other.close();
		});

		it('closed, it answers nothing: every command throws CLOSED', async () => {
			const other = await ledger.another();
			await other.get([]);
			await other.close();
			const claim = aClaim();
			const calls = [
				() => other.claim([claim]),
				() => other.seal([aSeal(claim)]),
				() => other.extend([anExtend(claim)]),
				() => other.release([aRelease(claim)]),
				() => other.resolve([aDecision(aRecord(0), 'failed')]),
				() => other.get([claim.key]),
				() => other.list({ limit: 1 }),
				() => other.statistics(),
				() => other.purge(1),
			];
			for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'LedgerError', code: 'CLOSED', retryable: true });
			expect(await ledger.read(claim.key)).toBeNull();
		});

		it('can be closed twice, and without ever having been used', async () => {
			const other = await ledger.another();
			await other.close();
			await other.close();
			const used = await ledger.another();
			await used.get([]);
			await used.close();
			await used.close();
		});

		it('closing one client leaves the others alone', async () => {
			const other = await ledger.another();
			await other.get([]);
			await other.close();
			expect((await ledger.claim(aClaim())).outcome).toBe('claimed');
		});
	});
}
