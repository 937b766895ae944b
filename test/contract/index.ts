import type { Subject } from '../support/subject';
import { describeCells } from './cells';
import { describeClaiming } from './claiming';
import { describeConflicts } from './conflicts';
import { describeLeases } from './leases';
import { describeReplay } from './replay';
import { describeRandomSequences } from './sequences';

/** Every suite that a store must pass; `describeContract(postgres)` is all its own test file says. */
export function describeContract(subject: Subject): void {
	describe(`the ledger's contract on ${subject.name}`, () => {
		describeClaiming(subject);
		describeReplay(subject);
		describeConflicts(subject);
		describeLeases(subject);
		describeCells(subject);
		describeRandomSequences(subject);
	});
}
