import { setTimeout as sleep } from 'node:timers/promises';

import type { Order } from './deliver';
import type { Told, World } from './World';

export interface Scenario {
	/** at most 34 characters a line, since a number comes before it */
	name: string[];
	/** orders whose effects are counted */
	orders: string[];
	/** what the senders do; what they were told, in order */
	run(world: World): Promise<Told[]>;
	/** with the ledger: is that what they must have been told? */
	isRight(statuses: Array<number | null>): boolean;
}

const AT_ONCE = 20;
/** The doomed worker's claim: longer than a busy machine needs for the next delivery, short to wait for. */
const LEASE_MS = 2_400;

const order = (orderId: string, amount = 4990): Order => ({ orderId, amount, currency: 'EUR' });
const same = (statuses: Array<number | null>, ...expected: Array<number | null>) =>
	JSON.stringify(statuses) === JSON.stringify(expected);

/** One after the other, as a sender that waits for each answer. */
async function inTurn(world: World, ...orders: Order[]): Promise<Told[]> {
	const told: Told[] = [];
	for (const each of orders) told.push(await world.deliver(each));
	return told;
}

export const SCENARIOS: Scenario[] = [
	{
		name: ['Same order, twice'],
		orders: ['A-1'],
		run: async (world) => await inTurn(world, order('A-1'), order('A-1')),
		isRight: (statuses) => same(statuses, 201, 200),
	},
	{
		name: [`Same order, ${AT_ONCE} at once`],
		orders: ['A-2'],
		run: async (world) => await Promise.all(Array.from({ length: AT_ONCE }, () => world.deliver(order('A-2')))),
		isRight: (statuses) =>
			statuses.filter((status) => status === 201).length === 1 && statuses.every((status) => [201, 200, 202].includes(status ?? 0)),
	},
	{
		name: ['Charged, then a time-out, or a cut', 'connection: both are redelivered'],
		orders: ['A-3', 'B-3'],
		run: async (world) => {
			world.plan('A-3', 'silenceAfterCharge');
			world.plan('B-3', 'resetAfterCharge');
			return await inTurn(world, order('A-3'), order('A-3'), order('B-3'), order('B-3'));
		},
		isRight: (statuses) => same(statuses, 409, 409, 409, 409),
	},
	{
		name: ['Refused before the write (429),', 'sent again when told to'],
		orders: ['A-4'],
		run: async (world) => {
			world.plan('A-4', 'busy');
			const first = await world.deliver(order('A-4'));
			await sleep(Number(first?.headers['retry-after'] ?? 0) * 1000);
			return [first, await world.deliver(order('A-4'))];
		},
		isRight: (statuses) => same(statuses, 503, 201),
	},
	{
		name: ['Worker killed after the charge,', 'redelivered until it is settled'],
		orders: ['A-5'],
		run: async (world) => {
			const killed = await world.deliverToDoomedWorker(order('A-5'), LEASE_MS / 60_000);
			const atOnce = await world.deliver(order('A-5'));
			if (atOnce?.status === 201) return [killed, atOnce];
			await sleep(LEASE_MS);
			return [killed, atOnce, await world.deliver(order('A-5'))];
		},
		isRight: (statuses) => same(statuses, null, 202, 409),
	},
	{
		name: ['Same order ID, another amount'],
		orders: ['A-6'],
		run: async (world) => await inTurn(world, order('A-6'), order('A-6', 9990)),
		isRight: (statuses) => same(statuses, 201, 409),
	},
];
