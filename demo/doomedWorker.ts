import { deliver, type Order } from './deliver';
import type { WorkflowJson } from '../test/support/engine';

/**
 * A worker process of its own that handles one delivery and is killed while it does. Given on stdin:
 * {"workflow": …, "order": …}. It shares the ledger's file with the demo by its environment.
 */
async function main(): Promise<void> {
	let text = '';
	for await (const chunk of process.stdin) text += chunk;
	const { workflow, order } = JSON.parse(text) as { workflow: WorkflowJson; order: Order };
	const answer = await deliver(workflow, order);
	process.stdout.write(JSON.stringify(answer));
}

void main();
