import type { Subject } from '../support/subject';
import { describeAnomalies } from './anomalies';
import { describeCells } from './cells';
import { describeClaiming } from './claiming';
import { describeConflicts } from './conflicts';
import { describeExtendAndRelease } from './extendRelease';
import { describeLeases } from './leases';
import { describeReplay } from './replay';
import { describeResolving } from './resolving';
import { describeRetry } from './retry';
import { describeSealing } from './sealing';
import { describeRandomSequences } from './sequences';
import { describeStaleSeals } from './staleSeals';

/** Every suite that a store must pass; `describeContract(postgres)` is all its own test file says. */
export function describeContract(subject: Subject): void {
	describe(`the ledger's contract on ${subject.name}`, () => {
		describeClaiming(subject);
		describeReplay(subject);
		describeConflicts(subject);
		describeLeases(subject);
		describeSealing(subject);
		describeStaleSeals(subject);
		describeAnomalies(subject);
		describeRetry(subject);
		describeExtendAndRelease(subject);
		describeResolving(subject);
		describeCells(subject);
		describeRandomSequences(subject);
	});
}
