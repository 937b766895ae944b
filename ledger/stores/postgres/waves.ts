/** A command beside its place in the batch, where its answer belongs. */
export interface Placed<Command> {
	command: Command;
	place: number;
}

/**
 * Commands per statement. Each holds its locks until the statement ends; this keeps that short, and
 * far below the protocol's limit of a message.
 */
const WAVE_SIZE = 500;

/**
 * Split a batch into statements. One statement can change a row only once, so a repeated key goes into
 * a later wave: its commands act one after the other, in order. Within a wave keys ascend, so that two
 * batches in opposite order lock in the same one and don't deadlock.
 */
export function wavesOf<Command extends { key: string }>(commands: Command[]): Array<Array<Placed<Command>>> {
	const rounds: Array<Array<Placed<Command>>> = [];
	const seen = new Map<string, number>();
	commands.forEach((command, place) => {
		const round = seen.get(command.key) ?? 0;
		seen.set(command.key, round + 1);
		(rounds[round] ??= []).push({ command, place });
	});
	return rounds.flatMap((round) => {
		round.sort((a, b) => (a.command.key < b.command.key ? -1 : 1));
		const waves: Array<Array<Placed<Command>>> = [];
		for (let from = 0; from < round.length; from += WAVE_SIZE) waves.push(round.slice(from, from + WAVE_SIZE));
		return waves;
	});
}
