import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `task` while no other process runs one under the same lock file. A lock whose owner is dead
 * is nobody's.
 *
 * @param {string} file
 * @param {(line: string) => void} onProgress
 * @param {() => Promise<void>} task
 */
export async function withLock(file, onProgress, task) {
	for (let told = false; !take(file); told = true) {
		if (!told) onProgress('Another process is installing n8n, waiting for it …');
		await sleep(1_000);
	}
	const release = () => rmSync(file, { force: true });
	process.once('exit', release);
	try {
		await task();
	} finally {
		release();
		process.off('exit', release);
	}
}

/** @param {string} file */
function take(file) {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch {
		if (!isAlive(file)) rmSync(file, { force: true });
		return false;
	}
}

/** @param {string} file */
function isAlive(file) {
	try {
		process.kill(Number(readFileSync(file, 'utf8')), 0);
		return true;
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}
