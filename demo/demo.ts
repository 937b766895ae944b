import { World, type Files, type Told } from './World';
import { SCENARIOS, type Scenario } from './scenarios';
import { cell, row, rule } from './table';

interface Seen {
	effects: number[];
	told: Told[];
}

/**
 * Runs every scenario with and without the ledger and prints what the provider counted.
 *
 * @returns whether every number with the ledger is what it must be
 */
export async function runDemo(files: Files, write: (text: string) => void): Promise<boolean> {
	write('\nWebhook deliveries to the template, through n8n\'s own engine. Charges are counted at the\n');
	write('payment provider; below them stands what the sender was told.\n\n');
	write(row(['What happens'], ['without the ledger'], ['with the ledger']) + rule());
	const [without, withLedger] = await Promise.all([World.open(false, files), World.open(true, files)]);
	// The first execution loads n8n's request helpers, which takes longer than a sender should be kept waiting.
	await Promise.all([without, withLedger].map(async (world) => await world.deliver({ orderId: 'warm-up', amount: 0, currency: 'EUR' })));
	let wrong = 0;
	const extra = { without: 0, withLedger: 0 };
	// They wait most of the time, and each has orders of its own: all at once, told in order.
	const plays = SCENARIOS.map(async (scenario) => await Promise.all([play(scenario, without), play(scenario, withLedger)]));
	for (const [index, scenario] of SCENARIOS.entries()) {
		const [bare, guarded] = await plays[index];
		const isRight = isRightWithLedger(scenario, guarded);
		if (!isRight) wrong += 1;
		extra.without += tooMany(bare);
		extra.withLedger += tooMany(guarded);
		const lines = cell(guarded.effects, guarded.told);
		const [first, ...rest] = scenario.name;
		const name = [`${index + 1} ${first}`, ...rest.map((line) => `  ${line}`)];
		write(row(name, cell(bare.effects, bare.told), isRight ? lines : [`${lines[0]}   ← WRONG`, ...lines.slice(1)]));
	}
	await Promise.all([without.close(), withLedger.close()]);
	write(`${rule()}\n${verdict(extra, wrong)}\n\n`);
	return wrong === 0;
}

async function play(scenario: Scenario, world: World): Promise<Seen> {
	const told = await scenario.run(world);
	return { told, effects: scenario.orders.map((orderId) => world.effects(orderId)) };
}

/** Each order was charged once, and the senders were told what they had to be told. */
function isRightWithLedger(scenario: Scenario, { effects, told }: Seen): boolean {
	return effects.every((count) => count === 1) && scenario.isRight(told.map((answer) => answer?.status ?? null));
}

/** Charges beyond the first of an order. */
function tooMany({ effects }: Seen): number {
	return effects.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
}

function verdict(extra: { without: number; withLedger: number }, wrong: number): string {
	if (wrong > 0) return `${wrong} of ${SCENARIOS.length} scenarios did not end as they must with the ledger.`;
	return `Charges too many: ${extra.without} without the ledger, ${extra.withLedger} with it; what nobody can know is left to a person.`;
}
