import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Takes a lock file unless a living process has it. A lock whose owner is dead is nobody's.
 *
 * @param {string} file
 * @returns {{release(): void} | undefined}
 */
export function tryLock(file) {
	if (!take(file) && (isAlive(file) || !takeOver(file))) return undefined;
	const release = () => {
		rmSync(file, { force: true });
		process.off('exit', release);
	};
	process.once('exit', release);
	return { release };
}

/**
 * Runs `task` while no other process runs one under the same lock file.
 *
 * @param {string} file
 * @param {() => void} onWait
 * @param {() => Promise<void>} task
 */
export async function withLock(file, onWait, task) {
	let lock = tryLock(file);
	if (!lock) onWait();
	while (!lock) {
		await sleep(1_000);
		lock = tryLock(file);
	}
	try {
		await task();
	} finally {
		lock.release();
	}
}

/** @param {string} file */
function take(file) {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
		return false;
	}
}

/** @param {string} file */
function takeOver(file) {
	rmSync(file, { force: true });
	return take(file);
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
