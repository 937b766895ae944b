import { describeContract } from '../../contract';
import { redis } from '../../support/subjects/redis';

describeContract(redis);
