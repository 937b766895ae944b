import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What the provider does with one request. All that is named `…AfterCharge` takes the money first, and
 * then doesn't say so: the cases in which trying again charges twice.
 */
export type Behaviour =
	| 'charge'
	/** 422: refused for good, nothing charged */
	| 'decline'
	/** 429 before anything was written */
	| 'busy'
	/** charged, then no answer until the client gives up */
	| 'silenceAfterCharge'
	/** charged, then the connection is cut */
	| 'resetAfterCharge'
	/** charged, then 500 */
	| 'failAfterCharge';

interface Order {
	orderId: string;
	amount?: number;
	currency?: string;
}

/**
 * A pretend payment provider, real HTTP on loopback. Like too many real ones it charges whenever it is
 * asked to. It is where effects are counted: what a workflow believes doesn't matter here.
 */
export class PaymentProvider {
	private readonly charges: string[] = [];
	private readonly received: string[] = [];
	private readonly plans = new Map<string, Behaviour[]>();
	private readonly waiting = new Map<string, Array<() => void>>();
	private server?: Server;

	/** @param port 0 = any free one */
	static async start(port = 0): Promise<PaymentProvider> {
		const provider = new PaymentProvider();
		await provider.listen(port);
		return provider;
	}

	get port(): number {
		return (this.server?.address() as AddressInfo).port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/charges`;
	}

	/** What happens to the next requests for an order; after those it is charged. */
	plan(orderId: string, ...behaviours: Behaviour[]): void {
		this.plans.set(orderId, behaviours);
	}

	/** How often an order was charged. */
	effects(orderId: string): number {
		return this.charges.filter((charged) => charged === orderId).length;
	}

	/** How often somebody asked for a charge of an order. */
	requests(orderId: string): number {
		return this.received.filter((asked) => asked === orderId).length;
	}

	/** Resolves as soon as an order has been charged. */
	async charged(orderId: string): Promise<void> {
		if (this.effects(orderId) > 0) return;
		await new Promise<void>((resolve) => this.waiting.set(orderId, [...(this.waiting.get(orderId) ?? []), resolve]));
	}

	async stop(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	/** Takes connections again after `stop`, or for the first time. */
	async listen(port: number): Promise<void> {
		const server = createServer((request, response) => void this.serve(request, response));
		this.server = server;
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, '127.0.0.1', resolve);
		});
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { orderId, amount, currency } = JSON.parse(await bodyOf(request)) as Order;
		this.received.push(orderId);
		const behaviour = this.plans.get(orderId)?.shift() ?? 'charge';
		if (behaviour === 'decline') return answer(response, 422, { error: 'The card was declined.' });
		if (behaviour === 'busy') return answer(response, 429, { error: 'Too many requests.' });
		const id = this.charge(orderId);
		if (behaviour === 'silenceAfterCharge') return;
		if (behaviour === 'resetAfterCharge') return void request.socket.resetAndDestroy();
		if (behaviour === 'failAfterCharge') return answer(response, 500, { error: 'Something went wrong.' });
		return answer(response, 201, { id, orderId, amount, currency, status: 'charged' });
	}

	private charge(orderId: string): string {
		this.charges.push(orderId);
		this.waiting.get(orderId)?.forEach((tell) => tell());
		this.waiting.delete(orderId);
		return `ch_${this.charges.length}`;
	}
}

function answer(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += chunk;
	return text;
}
