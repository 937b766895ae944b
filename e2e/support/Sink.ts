import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

export interface Received {
	method: string;
	path: string;
	query: URLSearchParams;
	/** the Idempotency-Key header */
	key: string | undefined;
	body: IDataObject;
}

/** An answer, or what a broken destination does: cut the connection after it has taken the request. */
export type Reaction = { status: number; body: unknown; headers?: Record<string, string> } | 'reset';

/**
 * Every destination of a template at once: real HTTP on loopback. It keeps all it receives, since what
 * a workflow believes to have done doesn't matter. Unless told otherwise it answers 201, the body sent
 * back with an ID that no other has: a ledger takes one ID under two keys for an anomaly.
 */
export class Sink {
	readonly received: Received[] = [];
	private readonly rules: Array<(request: Received) => Reaction | undefined> = [];
	private server?: Server;

	static async start(): Promise<Sink> {
		const sink = new Sink();
		await sink.listen();
		return sink;
	}

	get port(): number {
		return (this.server?.address() as AddressInfo).port;
	}

	/** Without a slash at the end: it stands for `https://anything.example.com`. */
	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** The latest rule that has an answer wins. */
	react(rule: (request: Received) => Reaction | undefined): void {
		this.rules.unshift(rule);
	}

	/** Reacts to the next requests with `body[field] === value` in this way, one after the other. */
	plan(field: string, value: unknown, ...reactions: Reaction[]): void {
		this.react(({ body }) => (body[field] === value ? reactions.shift() : undefined));
	}

	/** What came to a path. */
	at(path: string): Received[] {
		return this.received.filter((request) => request.path === path);
	}

	async stop(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	/** @param port 0 = any free one; the former one to come back after `stop` */
	async listen(port = 0): Promise<void> {
		const server = createServer((request, response) => void this.serve(request, response));
		this.server = server;
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, '127.0.0.1', resolve);
		});
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
		const key = request.headers['idempotency-key'];
		const received: Received = {
			method: request.method ?? '',
			path: pathname,
			query: searchParams,
			key: typeof key === 'string' ? key : undefined,
			body: await bodyOf(request),
		};
		this.received.push(received);
		const reaction = this.rules.map((rule) => rule(received)).find((found) => found !== undefined);
		if (reaction === 'reset') return void request.socket.resetAndDestroy();
		const { status, body, headers } = reaction ?? { status: 201, body: { id: `id_${randomUUID()}`, ...received.body } };
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
	}
}

async function bodyOf(request: IncomingMessage): Promise<IDataObject> {
	let text = '';
	for await (const chunk of request) text += chunk;
	return text === '' ? {} : (JSON.parse(text) as IDataObject);
}
