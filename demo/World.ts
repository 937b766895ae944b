import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { deliver, type Order } from './deliver';
import { PaymentProvider, type Behaviour } from './PaymentProvider';
import type { WebhookAnswer } from './standIns/respond';
import { guardedWorkflow, unguardedWorkflow } from './workflows';

/** What a sender got to know of one delivery; null = the worker died, so nothing. */
export type Told = WebhookAnswer | null;

export interface Files {
	/** path of the template that the demo runs */
	template: string;
	/** path of the built doomedWorker.ts */
	worker: string;
}

/** Times of the demo. Long enough for a busy machine, short enough to watch. */
const EFFECT_TIMEOUT_MS = 2_500;
const BASE_DELAY_SECONDS = 1;
const LONG_LEASE_MINUTES = 15;

/** One side of the comparison: the workflow with or without the ledger, and a payment provider of its own. */
export class World {
	private constructor(
		readonly hasLedger: boolean,
		private readonly provider: PaymentProvider,
		private readonly files: Files,
	) {}

	static async open(hasLedger: boolean, files: Files): Promise<World> {
		return new World(hasLedger, await PaymentProvider.start(), files);
	}

	async close(): Promise<void> {
		await this.provider.stop();
	}

	/** What the provider does with the next requests for an order. */
	plan(orderId: string, ...behaviours: Behaviour[]): void {
		this.provider.plan(orderId, ...behaviours);
	}

	/** Effects, counted at the provider. */
	effects(orderId: string): number {
		return this.provider.effects(orderId);
	}

	/** A delivery to the webhook: one execution. */
	async deliver(order: Order): Promise<Told> {
		return await deliver(this.workflow(LONG_LEASE_MINUTES), order);
	}

	/** A delivery to another worker process, which is killed the moment the provider has charged. */
	async deliverToDoomedWorker(order: Order, leaseMinutes: number): Promise<Told> {
		this.provider.plan(order.orderId, 'silenceAfterCharge');
		const worker = spawn(process.execPath, [this.files.worker], { stdio: ['pipe', 'ignore', 'inherit'] });
		const ended = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
		worker.stdin.end(JSON.stringify({ workflow: this.workflow(leaseMinutes), order }));
		await Promise.race([this.provider.charged(order.orderId), ended]);
		worker.kill('SIGKILL');
		const [, signal] = await ended;
		if (signal !== 'SIGKILL') throw new Error('The worker ended before it charged');
		return null;
	}

	private workflow(leaseMinutes: number) {
		const make = this.hasLedger ? guardedWorkflow : unguardedWorkflow;
		return make(this.files.template, {
			providerUrl: this.provider.url,
			timeoutMs: EFFECT_TIMEOUT_MS,
			baseDelaySeconds: BASE_DELAY_SECONDS,
			leaseMinutes,
		});
	}
}
