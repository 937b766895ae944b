// Ends the servers that a test or a command started, when that process is gone, however it went.
//
// Started by watchdog.mjs with a pipe on stdin. Lines in: {"watch": {id, pid?, container?, folder?}}
// and {"forget": id}; a negative pid is a whole process group. The pipe's end is the parent's death,
// also by SIGKILL: no polling, and no process id that could have been given to somebody else meanwhile.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const watched = new Map();

// The terminal's Ctrl-C reaches the whole process group: the servers still have to be ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
	const { watch, forget } = JSON.parse(line);
	if (watch) watched.set(watch.id, watch);
	else watched.delete(forget);
}

for (const { pid, container } of watched.values()) {
	// SIGQUIT: PostgreSQL ends its back ends without a checkpoint, Redis and Node.js end at once.
	if (pid) signal(pid, 'SIGQUIT');
	if (container) spawnSync('docker', ['kill', container], { stdio: 'ignore' });
}
const until = Date.now() + 5_000;
while (Date.now() < until && [...watched.values()].some(({ pid }) => pid && signal(pid, 0))) await sleep(50);
for (const { pid } of watched.values()) if (pid) signal(pid, 'SIGKILL');
for (const { folder } of watched.values()) {
	if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Whether there was such a process. */
function signal(pid, name) {
	try {
		process.kill(pid, name);
		return true;
	} catch {
		return false;
	}
}
