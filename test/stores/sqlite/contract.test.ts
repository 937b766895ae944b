import { describeContract } from '../../contract';
import { sqlite } from '../../support/subjects/sqlite';

describeContract(sqlite);
