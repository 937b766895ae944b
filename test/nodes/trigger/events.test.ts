import type { IDataObject } from 'n8n-workflow';

import { aSeal, another } from '../../support/builders';
import { aMoment, claimed, credentials, embeddedLedger, inLedger, sealed, triggerOn } from './watching';

const told = (items: IDataObject[]) => items.map(({ event, key, state }) => `${String(event)} ${String(key)} ${String(state)}`).sort();
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe.each(credentials())('Ledger Trigger on %s', (_name, ledger) => {
	it('fires once on each record that somebody has to look at, and on nothing else', async () => {
		await sealed(ledger, 'unknown');
		const trigger = triggerOn(ledger);
		expect(await trigger.activate()).toEqual([]);
		const unknown = await sealed(ledger, 'unknown');
		const failed = await sealed(ledger, 'permanent');
		const retried = await sealed(ledger, 'retryable');
		const crashed = await claimed(ledger);
		const lapsed = await claimed(ledger, { policy: 'take_over' });
		await sealed(ledger, 'success');
		await claimed(ledger, { leaseMs: 60_000 });
		await claimed(ledger, { ephemeral: true });
		await aMoment();
		const items = await trigger.poll();
		expect(told(items)).toEqual(
			[
				`came_into_review ${unknown.key} needs_review`,
				`failed_for_good ${failed.key} permanent_failed`,
				`retry_overdue ${retried.key} retryable_failed`,
				`lease_ran_out ${crashed.key} needs_review`,
				`lease_ran_out ${lapsed.key} processing`,
			].sort(),
		);
		expect(items.find(({ key }) => key === crashed.key)).toMatchObject({
			found: true,
			status: 'needs_review',
			reason: 'lease_expired',
			revision: 2,
			token: crashed.token,
			updatedAt: ISO,
			leaseIsOver: false,
			owner: { nodeName: 'Claim' },
		});
		expect(items.find(({ key }) => key === lapsed.key)).toMatchObject({ leaseIsOver: true, leaseExpiresAt: ISO });
		expect(await trigger.poll()).toEqual([]);
	});

	it('a record that changes is told again, as it is then', async () => {
		const trigger = triggerOn(ledger);
		await trigger.activate();
		const claim = await claimed(ledger, { policy: 'take_over', maxAttempts: 2 });
		await aMoment();
		expect(told(await trigger.poll())).toEqual([`lease_ran_out ${claim.key} processing`]);
		const next = another(claim);
		await inLedger(ledger, (store) => store.claim([next]));
		await aMoment();
		// The last attempt: nobody may take over any more.
		expect(told(await trigger.poll())).toEqual([`lease_ran_out ${claim.key} needs_review`]);
		await inLedger(ledger, (store) => store.seal([aSeal(next, 'permanent', { attempt: 2 })]));
		expect(told(await trigger.poll())).toEqual([`came_into_review ${claim.key} needs_review`]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('in batches: everything once, over several polls', async () => {
		const trigger = triggerOn(ledger, { options: { batchSize: 3 } });
		await trigger.activate();
		const keys: string[] = [];
		for (let i = 0; i < 8; i += 1) keys.push((await claimed(ledger)).key);
		await aMoment();
		const polls = [await trigger.poll(), await trigger.poll(), await trigger.poll(), await trigger.poll()];
		expect(polls.map((items) => items.length)).toEqual([3, 3, 2, 0]);
		expect(polls.flat().map(({ key }) => key).sort()).toEqual(keys.sort());
	});
});

describe('Ledger Trigger: parameters', () => {
	it('only the chosen events; a lease that ran out is in review, too, where that was chosen', async () => {
		const ledger = embeddedLedger();
		const review = triggerOn(ledger, { events: ['came_into_review'] });
		const leases = triggerOn(ledger, { events: ['lease_ran_out'] });
		const failed = triggerOn(ledger, { events: ['failed_for_good'] });
		for (const trigger of [review, leases, failed]) await trigger.activate();
		const unknown = await sealed(ledger, 'unknown');
		const dead = await sealed(ledger, 'permanent');
		const crashed = await claimed(ledger);
		await aMoment();
		// Nobody has moved it yet: that trigger wasn't asked to.
		expect(told(await review.poll())).toEqual([`came_into_review ${unknown.key} needs_review`]);
		expect(told(await leases.poll())).toEqual([`lease_ran_out ${crashed.key} needs_review`]);
		expect(told(await review.poll())).toEqual([`came_into_review ${crashed.key} needs_review`]);
		expect(told(await failed.poll())).toEqual([`failed_for_good ${dead.key} permanent_failed`]);
	});

	it('an overtaken attempt’s late success is told of when the lease ends', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger, { events: ['lease_ran_out'] });
		await trigger.activate();
		const first = await claimed(ledger, { policy: 'take_over' });
		await aMoment();
		const second = another(first);
		await inLedger(ledger, (store) => store.claim([second]));
		await inLedger(ledger, (store) => store.seal([aSeal(first, 'success', { externalId: 'ch_1' })]));
		await aMoment();
		expect(await trigger.poll()).toMatchObject([{ event: 'lease_ran_out', key: first.key, state: 'needs_review', reason: 'late_success' }]);
	});

	it('an event chosen later starts then; one left out for a while goes on where it was', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger, { events: ['came_into_review'] });
		await trigger.activate();
		await sealed(ledger, 'permanent');
		trigger.parameters = { events: ['failed_for_good'] };
		expect(await trigger.activate()).toEqual([]);
		const meanwhile = await sealed(ledger, 'unknown');
		const dead = await sealed(ledger, 'permanent');
		expect(told(await trigger.poll())).toEqual([`failed_for_good ${dead.key} permanent_failed`]);
		trigger.parameters = { events: ['came_into_review'] };
		expect(told(await trigger.activate())).toEqual([`came_into_review ${meanwhile.key} needs_review`]);
	});

	it('filters narrow what is told and what is moved', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger, { filters: { claimedOperation: 'mail', scope: 'acme' } });
		await trigger.activate();
		const other = await claimed(ledger);
		const mail = await claimed(ledger, { operation: 'mail', scope: 'acme' });
		await sealed(ledger, 'unknown', { operation: 'mail' });
		const dead = await sealed(ledger, 'permanent', { operation: 'mail', scope: 'acme' });
		await aMoment();
		expect(told(await trigger.poll())).toEqual([`failed_for_good ${dead.key} permanent_failed`, `lease_ran_out ${mail.key} needs_review`]);
		const { records } = await inLedger(ledger, (store) => store.get([other.key]));
		expect(records[0]?.state).toBe('processing');
	});

	it('leases and retries have their time before they count', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger, { options: { leaseGraceMinutes: 0.01, overdueAfterMinutes: 0.01 } });
		await trigger.activate();
		const [crashed, lapsed, retried] = [await claimed(ledger), await claimed(ledger, { policy: 'take_over' }), await sealed(ledger, 'retryable')];
		await aMoment();
		expect(await trigger.poll()).toEqual([]);
		await new Promise((resolve) => setTimeout(resolve, 650));
		expect(told(await trigger.poll())).toEqual(
			[`lease_ran_out ${crashed.key} needs_review`, `lease_ran_out ${lapsed.key} processing`, `retry_overdue ${retried.key} retryable_failed`].sort(),
		);
	});

	it('what was there already is told only if asked', async () => {
		const ledger = embeddedLedger();
		const [unknown, crashed] = [await sealed(ledger, 'unknown'), await claimed(ledger)];
		await aMoment();
		const trigger = triggerOn(ledger, { options: { emitExisting: true } });
		expect(told(await trigger.activate())).toEqual([`came_into_review ${unknown.key} needs_review`]);
		// From the second poll on, when n8n has stored where it began.
		expect(told(await trigger.poll())).toEqual([`lease_ran_out ${crashed.key} needs_review`]);
		expect(await trigger.poll()).toEqual([]);
	});

	it.each([
		[{ events: [] }, /Events must name at least one of/],
		[{ filters: { claimedOperation: '' } }, /filter Operation is empty/],
		[{ options: { batchSize: 0 } }, /Batch Size must be a whole number from 1 to 1000/],
		[{ options: { leaseGraceMinutes: -1 } }, /Lease Grace Period/],
		[{ options: { overdueAfterMinutes: 'soon' } }, /Retry Overdue After/],
	])('%j is refused in words', async (parameters, message) => {
		await expect(triggerOn(embeddedLedger(), parameters as never).activate()).rejects.toMatchObject({ name: 'NodeOperationError', message: expect.stringMatching(message), description: expect.any(String) });
	});

	it('a ledger that can’t be asked is an error that says which, and nothing is marked', async () => {
		const ledger = { store: 'redis', redisHost: '127.0.0.1', redisPort: 1, connectTimeout: 1 };
		const trigger = triggerOn(ledger);
		await expect(trigger.activate()).rejects.toMatchObject({ name: 'NodeOperationError', message: expect.stringMatching(/127\.0\.0\.1:1/) });
		expect(trigger.staticData).toEqual({});
		await expect(triggerOn(null).activate()).rejects.toThrow(/No Idempotency Ledger credential is selected/);
	});
});

describe('Ledger Trigger: the editor’s test', () => {
	it('shows the newest few records, changes nothing and moves no mark', async () => {
		const ledger = embeddedLedger();
		const keys: string[] = [];
		for (let i = 0; i < 7; i += 1) {
			keys.push((await sealed(ledger, i % 2 === 0 ? 'unknown' : 'permanent')).key);
			await aMoment();
		}
		const crashed = await claimed(ledger);
		await aMoment();
		const trigger = triggerOn(ledger);
		const items = await trigger.test();
		expect(items.map(({ key }) => key)).toEqual(keys.slice(-5).reverse());
		expect(items[0]).toMatchObject({ event: 'came_into_review', found: true, status: 'needs_review' });
		expect(trigger.staticData).toEqual({});
		expect((await inLedger(ledger, (store) => store.get([crashed.key]))).records[0]).toMatchObject({ state: 'processing', revision: 1 });
	});

	it('shows a stuck claim as it is when there is nothing else', async () => {
		const ledger = embeddedLedger();
		const crashed = await claimed(ledger);
		await aMoment();
		expect(await triggerOn(ledger).test()).toMatchObject([{ event: 'lease_ran_out', key: crashed.key, state: 'processing', leaseIsOver: true }]);
	});

	it('says so when there is nothing', async () => {
		await expect(triggerOn(embeddedLedger()).test()).rejects.toThrow('No data with the current filter could be found');
	});
});
