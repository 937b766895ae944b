import { describeLineage } from './describeLineage';
import { fanCases } from './cases/fan';
import { brokenClaimCases, guardCases } from './cases/guards';
import { linkCases } from './cases/links';
import { loopCases } from './cases/loops';
import { nestedCases } from './cases/nested';
import { sidewaysCases } from './cases/sideways';
import { straightCases } from './cases/straight';
import { subWorkflowCases } from './cases/subWorkflow';
import { StubNodes } from './stubNodes';

const stub = () => {
	const nodes = new StubNodes();
	return { nodeTypes: nodes.nodeTypes, findings: nodes.findings };
};

describeLineage('straight', straightCases, stub);
describeLineage('fan-out, fan-in, Merge', fanCases, stub);
describeLineage('nested guards', nestedCases, stub);
describeLineage('loops', loopCases, stub);
describeLineage('items of the same claim elsewhere', sidewaysCases, stub);
describeLineage('disabled, pinned, not claimed', [...guardCases, ...brokenClaimCases], stub);
describeLineage('links lost or guessed', linkCases, stub);
describeLineage('sub-workflows', subWorkflowCases, stub);
