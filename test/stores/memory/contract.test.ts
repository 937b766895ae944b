import { describeContract } from '../../contract';
import { memory } from '../../support/subjects/memory';

describeContract(memory);
