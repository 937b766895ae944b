import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** What has to be cleared away when this process dies without doing it. */
export interface Watched {
	id: string;
	pid?: number;
	container?: string;
	folder?: string;
}

let dog: ChildProcess | undefined;
const ids = new Set<string>();

/** From now on this server ends, and its folder goes, when this process ends in whatever way. */
export function watch(server: Watched): void {
	dog ??= release();
	ids.add(server.id);
	tell({ watch: server });
}

/** The server was stopped properly. */
export function forget(id: string): void {
	if (!ids.delete(id) || !dog) return;
	tell({ forget: id });
	if (ids.size > 0) return;
	dog.stdin?.end();
	dog = undefined;
}

function release(): ChildProcess {
	const child = spawn(process.execPath, [join(__dirname, 'watchdogProcess.mjs')], {
		// A group of its own, or a signal to the test runner's group would end the dog first.
		detached: true,
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	// Neither the process nor its pipe may keep a finished test run alive.
	child.unref();
	(child.stdin as Socket).unref();
	child.stdin?.on('error', () => {});
	return child;
}

function tell(message: unknown): void {
	dog?.stdin?.write(`${JSON.stringify(message)}\n`);
}
