import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { IdempotencySeal } from '../../../nodes/IdempotencySeal/IdempotencySeal.node';
import { CLAIM, SEAL } from '../../support/engine';
import { embeddedLedger } from '../claim/claimRun';
import { fanCases } from './cases/fan';
import { guardCases } from './cases/guards';
import { linkCases } from './cases/links';
import { loopCases } from './cases/loops';
import { nestedCases } from './cases/nested';
import { sidewaysCases } from './cases/sideways';
import { straightCases } from './cases/straight';
import { subWorkflowCases } from './cases/subWorkflow';
import { describeLineage } from './describeLineage';

/** The same workflows with the nodes that ship, each case on an embedded ledger of its own. */
const real = () => ({ nodeTypes: { [CLAIM]: new IdempotencyClaim(), [SEAL]: new IdempotencySeal() }, ledger: embeddedLedger() });

describeLineage('real nodes: straight', straightCases, real);
describeLineage('real nodes: fan-out, fan-in, Merge', fanCases, real);
describeLineage('real nodes: nested guards', nestedCases, real);
describeLineage('real nodes: loops', loopCases, real);
describeLineage('real nodes: items of the same claim elsewhere', sidewaysCases, real);
describeLineage('real nodes: disabled, pinned, not claimed', guardCases, real);
describeLineage('real nodes: links lost or guessed', linkCases, real);
describeLineage('real nodes: sub-workflows', subWorkflowCases, real);
