import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { forget, watch } from '../watchdog.mjs';
import { node24 } from '../withNode24.mjs';

/** The first start makes n8n's tables: about 20 seconds on two idle cores. */
const READY_WITHIN_MS = 180_000;
/** n8n itself waits up to 30 s for running executions. */
const STOP_WITHIN_MS = 40_000;
const LOG_CHARACTERS = 1_000_000;

/** One n8n process with its task runner. It ends with this process at the latest. */
export class N8nProcess {
	/** @param {{args: string[], env: NodeJS.ProcessEnv, folder: string}} options */
	constructor({ args, env, folder }) {
		this.text = '';
		this.running = true;
		// A process group of its own: killing it takes the task runner along, and Ctrl-C comes from us.
		this.child = spawn(node24(), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
		const id = randomUUID();
		/** @type {Promise<void>} */
		this.ended = new Promise((resolve) => {
			this.child.once('error', (error) => {
				this.text += error.message;
				this.running = false;
				resolve();
			});
			this.child.once('exit', () => {
				this.running = false;
				this.signalGroup('SIGKILL'); // a task runner that outlived it
				forget(id);
				resolve();
			});
		});
		if (this.child.pid) watch({ id, pid: -this.child.pid });
		for (const pipe of [this.child.stdout, this.child.stderr]) {
			pipe.on('data', (chunk) => (this.text = (this.text + chunk).slice(-LOG_CHARACTERS)));
		}
	}

	/**
	 * @param {{args: string[], env: NodeJS.ProcessEnv, folder: string, readyLine: RegExp}} options
	 * @throws {Error} with the end of n8n's log when it ends or isn't ready in time
	 */
	static async start(options) {
		const n8n = new N8nProcess(options);
		const deadline = Date.now() + READY_WITHIN_MS;
		while (!options.readyLine.test(n8n.text)) {
			if (!n8n.running || Date.now() > deadline) {
				await n8n.kill();
				throw new Error(`n8n did not start:\n${n8n.text.slice(-3_000)}`);
			}
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return n8n;
	}

	get pid() {
		if (!this.child.pid || !this.running) throw new Error("n8n isn't running");
		return this.child.pid;
	}

	log() {
		return this.text;
	}

	/** In order: n8n finishes what it executes. */
	async stop() {
		if (!this.running) return;
		this.child.kill('SIGTERM');
		const impatience = setTimeout(() => this.signalGroup('SIGKILL'), STOP_WITHIN_MS);
		await this.ended;
		clearTimeout(impatience);
	}

	/** SIGKILL, the task runner too: as a crashed machine. */
	async kill() {
		if (this.running) this.signalGroup('SIGKILL');
		await this.ended;
	}

	/** @param {NodeJS.Signals} signal */
	signalGroup(signal) {
		try {
			if (this.child.pid) process.kill(-this.child.pid, signal);
		} catch {
			// the whole group is gone already
		}
	}
}
