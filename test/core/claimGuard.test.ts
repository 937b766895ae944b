import { guardedClaim } from '../../ledger/core/claimGuard';
import type { ClaimCommand } from '../../ledger/core/commands';
import { MemoryStore } from '../../ledger/stores/memory/MemoryStore';

const LEASE_MS = 1_000;

function command(key: string, leaseMs = LEASE_MS): ClaimCommand {
	return {
		key,
		operation: 'charge',
		businessId: key,
		scope: null,
		version: null,
		token: `token of ${key}`,
		leaseMs,
		policy: 'review',
		maxAttempts: 5,
		retentionSeconds: 0,
		fingerprint: null,
		fingerprintFields: null,
		correlationId: null,
		owner: { instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: null },
		ephemeral: false,
	};
}

/** A ledger whose answer takes that long by the caller's own clock; its own clock stands years apart. */
function slowLedger(answerMs: number) {
	const clock = { now: 50_000 };
	const store = new MemoryStore(new Map(), () => 4_000_000);
	const claim = async (commands: ClaimCommand[]) => {
		const answers = await store.claim(commands);
		clock.now += answerMs;
		return answers;
	};
	return { claim, store, monotonicNow: () => clock.now };
}

describe('A claim is released only while its lease is alive', () => {
	test('an answer in time goes through as it is', async () => {
		const { claim, monotonicNow } = slowLedger(LEASE_MS - 1);
		const [guarded] = await guardedClaim({ claim }, [command('a')], monotonicNow);
		expect(guarded).toMatchObject({ released: true, answer: { outcome: 'claimed', detail: 'first' } });
	});

	test('an answer exactly at the end of the lease is held back', async () => {
		const { claim, monotonicNow } = slowLedger(LEASE_MS);
		const [guarded] = await guardedClaim({ claim }, [command('a')], monotonicNow);
		expect(guarded).toMatchObject({ released: false, error: { code: 'ANSWER_TOO_LATE', retryable: true } });
	});

	test('only the items whose lease ran out are held back', async () => {
		const { claim, monotonicNow } = slowLedger(5_000);
		const commands = [command('short'), command('long', 60_000), command('shortest', 1)];
		const guarded = await guardedClaim({ claim }, commands, monotonicNow);
		expect(guarded.map(({ released }) => released)).toEqual([false, true, false]);
		expect(guarded[1].answer.record?.key).toBe('long');
	});

	test('an answer that grants nothing is never too late', async () => {
		const { claim, store, monotonicNow } = slowLedger(3_600_000);
		await store.claim([command('a', 86_400_000)]);
		const [guarded] = await guardedClaim({ claim }, [{ ...command('a'), token: 'other' }], monotonicNow);
		expect(guarded).toMatchObject({ released: true, answer: { outcome: 'in_progress' } });
	});

	test('a claim without a lease is held back', async () => {
		const { claim, monotonicNow } = slowLedger(0);
		const leaseless = async (commands: ClaimCommand[]) =>
			(await claim(commands)).map((answer) => ({ ...answer, record: null }));
		expect(await guardedClaim({ claim: leaseless }, [command('a')], monotonicNow)).toMatchObject([{ released: false }]);
	});

	test('a ledger that answers too few claims is an error', async () => {
		const { claim, monotonicNow } = slowLedger(0);
		const forgetful = async (commands: ClaimCommand[]) => claim(commands.slice(1));
		await expect(guardedClaim({ claim: forgetful }, [command('a'), command('b')], monotonicNow)).rejects.toMatchObject({
			code: 'UNEXPECTED',
		});
	});

	test('without a clock given, real time counts', async () => {
		const store = new MemoryStore();
		const late = async (commands: ClaimCommand[]) => {
			const answers = await store.claim(commands);
			await new Promise((resolve) => setTimeout(resolve, 20));
			return answers;
		};
		expect(await guardedClaim({ claim: late }, [command('a', 5)])).toMatchObject([{ released: false }]);
	});
});
