import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { answers, claimRun, OUT, recordOf, seal } from './claimRun';

function credentials(): Array<[string, ICredentialDataDecryptedObject]> {
	const postgres = new URL(process.env.LEDGER_TEST_POSTGRES_URL!);
	const redis = new URL(process.env.LEDGER_TEST_REDIS_URL!);
	const own = `t${randomUUID().slice(0, 8)}_`;
	return [
		[
			'PostgreSQL',
			{
				store: 'postgres',
				postgresHost: postgres.hostname,
				postgresPort: Number(postgres.port),
				postgresDatabase: postgres.pathname.slice(1),
				postgresUser: decodeURIComponent(postgres.username),
				postgresPassword: decodeURIComponent(postgres.password),
				postgresTablePrefix: own,
			},
		],
		[
			'Redis',
			{
				store: 'redis',
				redisHost: redis.hostname,
				redisPort: Number(redis.port),
				redisUser: decodeURIComponent(redis.username),
				redisPassword: decodeURIComponent(redis.password),
				redisKeyPrefix: own,
			},
		],
	];
}

describe.each(credentials())('Claim on %s', (_name, ledger) => {
	it('one of ten runs at once is claimed; after the seal all get its result', async () => {
		const runs = await Promise.all(Array.from({ length: 10 }, () => claimRun({ ledger, items: [{ id: 'one' }] })));
		const claims = runs.flatMap((run) => answers(run, OUT.claimed));
		expect(claims).toHaveLength(1);
		expect(runs.map((run) => run.counts('Claim')[OUT.inProgress]).reduce((a, b) => a + b)).toBe(9);
		await seal(ledger, claims[0], { result: { total: 5 } });
		const later = await claimRun({ ledger, items: [{ id: 'one' }, { id: 'one' }] });
		expect(answers(later, OUT.doneBefore).map(({ result }) => result)).toEqual([{ total: 5 }, { total: 5 }]);
	});

	it('a batch with repeated keys and another payload', async () => {
		const parameters = { fingerprintFields: 'amount' };
		const items = [
			{ id: 'a', amount: 1 },
			{ id: 'b', amount: 1 },
			{ id: 'a', amount: 1 },
			{ id: 'b', amount: 2 },
		];
		const run = await claimRun({ ledger, parameters, items });
		expect(run.counts('Claim')).toEqual([2, 0, 1, 1]);
		expect(answers(run, OUT.inProgress)[0]).toMatchObject({ key: 'charge:a', heldByItem: 0 });
		expect(answers(run, OUT.review)[0]).toMatchObject({ key: 'charge:b', conflict: 'payload_differs' });
	});

	it('waits for the outcome of another run', async () => {
		const first = await claimRun({ ledger, items: [{ id: 'w' }] });
		const waiting = claimRun({ ledger, items: [{ id: 'w' }], options: { waitSeconds: 20 } });
		await new Promise((resolve) => setTimeout(resolve, 400));
		await seal(ledger, answers(first, OUT.claimed)[0]);
		expect((await waiting).counts('Claim')).toEqual([0, 1, 0, 0]);
	});

	it('an expired lease is in Review, and the owner is on the record', async () => {
		const first = await claimRun({ ledger, items: [{ id: 'l' }], parameters: { leaseMinutes: 0.01 } });
		await new Promise((resolve) => setTimeout(resolve, 700));
		const second = await claimRun({ ledger, items: [{ id: 'l' }] });
		expect(answers(second, OUT.review)[0]).toMatchObject({ reason: 'lease_expired', lastAttemptBy: { executionId: first.executionId } });
		expect((await recordOf(ledger, 'charge:l'))!.owner.workflowName).toBe('Workflow under test');
	});
});
