import type { IExecuteFunctions } from 'n8n-workflow';

import { unstableKeyHints } from './unstableKeyHints';
import { wiringHints } from './wiringHints';

/** For the person who builds the workflow: what can't work, said in manual runs. Never fails a run. */
export function giveHints(context: IExecuteFunctions, isTool: boolean): void {
	if (context.getMode() !== 'manual') return;
	try {
		const hints = unstableKeyHints(context.getNode());
		if (!isTool) hints.push(...wiringHints(context));
		if (hints.length > 0) context.addExecutionHints(...hints);
	} catch {
		// Advice only: an n8n that answers these questions differently still claims.
	}
}
