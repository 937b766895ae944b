import type { ExecutionError, ExecutionStatus, IDataObject, INodeExecutionData, IRun, ITaskData } from 'n8n-workflow';

/** What one execution left behind, with short ways to read it. */
export class EngineRun {
	constructor(
		readonly run: IRun,
		readonly executionId: string | undefined,
		/** executions of called sub-workflows, in order */
		readonly subRuns: EngineRun[],
	) {}

	get status(): ExecutionStatus {
		return this.run.status;
	}

	/** The error that ended the execution, if one did. */
	get error(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	get runData(): Record<string, ITaskData[]> {
		return this.run.data.resultData.runData;
	}

	/** Node names in the order they ran, one entry a run. */
	get order(): string[] {
		return Object.entries(this.runData)
			.flatMap(([name, runs]) => runs.map((task) => ({ name, at: task.executionIndex })))
			.sort((a, b) => a.at - b.at)
			.map(({ name }) => name);
	}

	/** How often a node ran. */
	count(name: string): number {
		return this.runData[name]?.length ?? 0;
	}

	task(name: string, run = 0): ITaskData {
		const task = this.runData[name]?.[run];
		if (!task) throw new Error(`${name} has no run ${run}; what ran: ${this.order.join(', ') || 'nothing'}`);
		return task;
	}

	/** Items of one output; of all runs of the node, unless `run` is given. */
	items(name: string, output = 0, run?: number): INodeExecutionData[] {
		if (run !== undefined) return this.task(name, run).data?.main?.[output] ?? [];
		return (this.runData[name] ?? []).flatMap((task) => task.data?.main?.[output] ?? []);
	}

	/** JSON of the items of one output; of all runs of the node, unless `run` is given. */
	json(name: string, output = 0, run?: number): IDataObject[] {
		return this.items(name, output, run).map((item) => item.json);
	}

	/** Number of items on each output over all runs, trailing empty outputs included. */
	counts(name: string): number[] {
		const counts: number[] = [];
		for (const task of this.runData[name] ?? []) {
			(task.data?.main ?? []).forEach((items, output) => {
				counts[output] = (counts[output] ?? 0) + (items?.length ?? 0);
			});
		}
		return Array.from(counts, (count) => count ?? 0);
	}

	/** Texts of the hints a node gave. */
	hints(name: string): string[] {
		return (this.runData[name] ?? []).flatMap((task) => (task.hints ?? []).map((hint) => hint.message));
	}

	/** What a tool answered to the agent, JSON of all its runs. */
	toolAnswers(name: string): IDataObject[] {
		return (this.runData[name] ?? []).flatMap((task) => (task.data?.ai_tool?.[0] ?? []).map((item) => item.json));
	}
}
