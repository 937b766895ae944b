import type { INodeType } from 'n8n-workflow';

import { agentNode } from './agent';
import { aggregateNode } from './aggregate';
import { codeNode, type CodeScript } from './code';
import { effectNode, type EffectScript } from './effect';
import { executeWorkflowNode, subTriggerNode } from './executeWorkflow';
import { filterNode, ifNode } from './ifFilter';
import { loopNode } from './loop';
import { mergeNode } from './merge';
import { noOpNode } from './noOp';
import { setNode } from './set';
import { splitOutNode } from './splitOut';
import { triggerNode } from './trigger';
import { waitNode } from './wait';

export interface Scripts {
	effects: Record<string, EffectScript>;
	code: Record<string, CodeScript>;
}

/**
 * Small nodes for test workflows. Each links its items (pairedItem) as the n8n node of that name does,
 * because that is what the walk from Seal to Claim lives on.
 */
export function testNodeTypes(scripts: Scripts): Record<string, INodeType> {
	return {
		'test.trigger': triggerNode,
		'test.effect': effectNode(scripts.effects),
		'test.code': codeNode(scripts.code),
		'test.set': setNode,
		'test.if': ifNode,
		'test.filter': filterNode,
		'test.merge': mergeNode,
		'test.loop': loopNode,
		'test.wait': waitNode,
		'test.splitOut': splitOutNode,
		'test.aggregate': aggregateNode,
		'test.noOp': noOpNode,
		'test.respond': noOpNode,
		'test.executeWorkflow': executeWorkflowNode,
		'test.executeWorkflowTrigger': subTriggerNode,
		'test.agent': agentNode,
	};
}
