import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Account } from './unprivilegedAccount';
import { forget, watch } from '../../../scripts/watchdog.mjs';

export interface ServerCommand {
	command: string;
	args: string[];
	/** Appears in the server's own output once it takes connections. */
	readyLine: RegExp;
	/** Working folder. */
	folder: string;
	account?: Account;
	env?: NodeJS.ProcessEnv;
	/** Name of the container, when `command` is Docker's. */
	container?: string;
}

const READY_WITHIN_MS = 30_000;
const LOG_CHARACTERS = 100_000;

/** One server process: waits for readiness, keeps the end of its log, knows when it has ended. */
export class ServerProcess {
	private readonly child: ChildProcess;
	private readonly id = randomUUID();
	private text = '';
	private readonly ended: Promise<void>;
	private alive = true;

	private constructor(private readonly options: ServerCommand) {
		const { command, args, account, env, folder, container } = options;
		this.child = spawn(command, args, {
			cwd: folder,
			env: env ?? process.env,
			stdio: ['ignore', 'pipe', 'pipe'],
			// A group of its own: Ctrl-C on the tests ends it through us or the watchdog, in order.
			detached: true,
			...account,
		});
		this.ended = new Promise((resolve) => {
			const onEnd = (): void => {
				this.alive = false;
				forget(this.id);
				resolve();
			};
			this.child.once('exit', onEnd);
			this.child.once('error', (error) => {
				this.text += `${error.message}\n`;
				onEnd();
			});
		});
		if (this.child.pid) watch({ id: this.id, pid: this.child.pid, container });
		for (const pipe of [this.child.stdout, this.child.stderr] as Socket[]) {
			pipe.on('data', (chunk: Buffer) => {
				this.text = (this.text + chunk.toString()).slice(-LOG_CHARACTERS);
			});
			pipe.unref();
		}
		this.child.unref();
	}

	/** Rejects with the end of the server's log if it ends or isn't ready in time. */
	static async start(options: ServerCommand): Promise<ServerProcess> {
		const server = new ServerProcess(options);
		const deadline = Date.now() + READY_WITHIN_MS;
		while (!options.readyLine.test(server.text)) {
			if (!server.alive || Date.now() > deadline) {
				await server.end('SIGKILL');
				throw new Error(`${options.command} did not start:\n${server.text.slice(-2_000)}`);
			}
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		return server;
	}

	get pid(): number {
		if (this.child.pid === undefined || !this.alive) throw new Error(`${this.options.command} isn't running`);
		return this.child.pid;
	}

	get running(): boolean {
		return this.alive;
	}

	log(): string {
		return this.text;
	}

	/** Sends a signal without waiting (SIGSTOP and SIGCONT pause and resume). */
	signal(signal: NodeJS.Signals): void {
		if (!this.alive) return;
		// Docker's client passes signals on, except those that it can't catch itself.
		const uncatchable = signal === 'SIGKILL' || signal === 'SIGSTOP';
		if (this.options.container && uncatchable) {
			const verb = signal === 'SIGKILL' ? ['kill'] : ['kill', '--signal', 'STOP'];
			spawnSync('docker', [...verb, this.options.container], { stdio: 'ignore' });
		} else this.child.kill(signal);
	}

	/** Sends a signal and waits for the end. */
	async end(signal: NodeJS.Signals): Promise<void> {
		this.signal(signal);
		// A paused process takes no other signal than SIGKILL.
		if (this.alive && signal !== 'SIGKILL') this.signal('SIGCONT');
		const impatience = setTimeout(() => this.signal('SIGKILL'), 10_000);
		await this.ended;
		clearTimeout(impatience);
	}
}
