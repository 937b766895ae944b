import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
	tool: string;
	input: Record<string, unknown>;
}

/** What the model is shown: its tools' names, and what they answered, the latest turn last. */
export interface ModelTurn {
	tools: string[];
	answers: string[];
}

/**
 * A model server (OpenAI's chat completions) that does what the test says: call tools, several in one
 * turn if told so, then give an answer.
 */
export class PretendModel {
	readonly turns: ModelTurn[] = [];
	private script: ToolCall[][] = [];
	private readonly server: Server;

	private constructor() {
		this.server = createServer((request, response) => {
			void textOf(request).then((text) => {
				const body = text === '' ? {} : (JSON.parse(text) as { messages?: Message[]; tools?: Array<{ function: { name: string } }> });
				const answer = JSON.stringify(this.answer(body.messages ?? [], (body.tools ?? []).map((tool) => tool.function.name)));
				response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
			});
		});
	}

	static async start(): Promise<PretendModel> {
		const model = new PretendModel();
		await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
		return model;
	}

	/** For the OpenAI credential. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	/** The tool calls of the next turns; after those it says "Done." */
	plan(...turns: ToolCall[][]): void {
		this.turns.length = 0;
		this.script = turns;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private answer(messages: Message[], tools: string[]): object {
		this.turns.push({ tools, answers: messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)) });
		const calls = this.script.shift() ?? [];
		const tool_calls = calls.map(({ tool, input }, i) => ({
			id: `call_${this.turns.length}_${i}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(input) },
		}));
		const message = { role: 'assistant', content: calls.length > 0 ? null : 'Done.', ...(calls.length > 0 ? { tool_calls } : {}) };
		return {
			id: `chatcmpl-${this.turns.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'pretend',
			choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

interface Message {
	role: string;
	content: unknown;
}

async function textOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += chunk;
	return text;
}
