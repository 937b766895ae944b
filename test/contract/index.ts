import type { Subject } from '../support/subject';
import { describeAnomalies } from './anomalies';
import { describeBatches } from './batches';
import { describeCells } from './cells';
import { describeClaiming } from './claiming';
import { describeClosing } from './closing';
import { describeConflicts } from './conflicts';
import { describeExpiring } from './expiring';
import { describeExpiry } from './expiry';
import { describeExtendAndRelease } from './extendRelease';
import { describeFeeds } from './feeds';
import { describeLeases } from './leases';
import { describeListing } from './listing';
import { describeLostAnswers } from './lostAnswers';
import { describePurging } from './purging';
import { describeRaces } from './races';
import { describeReplay } from './replay';
import { describeResolving } from './resolving';
import { describeRetry } from './retry';
import { describeSealing } from './sealing';
import { describeRandomSequences } from './sequences';
import { describeStaleSeals } from './staleSeals';
import { describeStatistics } from './statistics';
import { describeValues } from './values';

/** Every suite that a store must pass; `describeContract(postgres)` is all its own test file says. */
export function describeContract(subject: Subject): void {
	describe(`the ledger's contract on ${subject.name}`, () => {
		describeClaiming(subject);
		describeReplay(subject);
		describeConflicts(subject);
		describeLeases(subject);
		describeLostAnswers(subject);
		describeSealing(subject);
		describeStaleSeals(subject);
		describeAnomalies(subject);
		describeRetry(subject);
		describeExtendAndRelease(subject);
		describeResolving(subject);
		describeBatches(subject);
		describeRaces(subject);
		describeExpiring(subject);
		describeFeeds(subject);
		describeExpiry(subject);
		describePurging(subject);
		describeListing(subject);
		describeStatistics(subject);
		describeValues(subject);
		describeClosing(subject);
		describeCells(subject);
		describeRandomSequences(subject);
	});
}
