import { describeContract } from '../../contract';
import { postgres } from '../../support/subjects/postgres';

describeContract(postgres);
