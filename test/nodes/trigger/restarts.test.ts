import { aMoment, claimed, embeddedLedger, inLedger, sealed, triggerOn } from './watching';

describe('Ledger Trigger: restarts', () => {
	it('what was told before a restart isn’t told again, what came meanwhile is', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger);
		await trigger.activate();
		await sealed(ledger, 'unknown');
		expect(await trigger.poll()).toHaveLength(1);
		trigger.restart();
		const meanwhile = await sealed(ledger, 'permanent');
		expect(await trigger.activate()).toMatchObject([{ key: meanwhile.key }]);
		trigger.restart();
		expect(await trigger.poll()).toEqual([]);
	});

	it('a restart before anything was told loses nothing: n8n stores where the activation began', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger);
		await trigger.activate();
		for (let i = 0; i < 3; i += 1) expect(await trigger.poll()).toEqual([]);
		const { key } = await sealed(ledger, 'unknown');
		trigger.restart();
		expect(await trigger.poll()).toMatchObject([{ key }]);
	});

	it('a process that dies after it moved leases, before it told of them, tells of them later', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger);
		await trigger.activate();
		const { key } = await claimed(ledger);
		await aMoment();
		await trigger.pollAndDie();
		expect((await inLedger(ledger, (store) => store.get([key]))).records[0]?.state).toBe('needs_review');
		expect(await trigger.activate()).toMatchObject([{ event: 'lease_ran_out', key }]);
	});

	it('a first poll that fails half-way moves nothing that the next first poll would miss', async () => {
		const ledger = embeddedLedger();
		const { key } = await claimed(ledger);
		await aMoment();
		const trigger = triggerOn(ledger);
		await trigger.pollAndDie();
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toMatchObject([{ event: 'lease_ran_out', key }]);
	});

	it.each([{ watermarks: 'nonsense' }, { watermarks: { review: { after: 1 } } }, { watermarks: { review: { after: { at: 'x', key: '' }, seen: {} } } }])(
		'static data that cannot be read, %j, begins anew',
		async (broken) => {
			const ledger = embeddedLedger();
			await sealed(ledger, 'unknown');
			const trigger = triggerOn(ledger);
			trigger.staticData = broken;
			expect(await trigger.poll()).toEqual([]);
			const { key } = await sealed(ledger, 'unknown');
			expect(await trigger.poll()).toMatchObject([{ key }]);
		},
	);

	it('two polls at once tell it once', async () => {
		const ledger = embeddedLedger();
		const trigger = triggerOn(ledger);
		await trigger.activate();
		for (let i = 0; i < 20; i += 1) await sealed(ledger, 'unknown');
		const polls = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(polls.flat()).toHaveLength(20);
		expect(await trigger.poll()).toEqual([]);
	});
});
