import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * What has to be cleared away when this process dies without doing it.
 *
 * @typedef {object} Watched
 * @property {string} id
 * @property {number} [pid] negative: the process group
 * @property {string} [container] name of a Docker container
 * @property {string} [folder]
 */

/** @type {import('node:child_process').ChildProcess | undefined} */
let dog;
/** @type {Set<string>} */
const ids = new Set();

/**
 * From now on this ends, and its folder goes, when this process ends in whatever way.
 *
 * @param {Watched} thing
 */
export function watch(thing) {
	dog ??= release();
	ids.add(thing.id);
	tell({ watch: thing });
}

/**
 * It was cleared away properly.
 *
 * @param {string} id
 */
export function forget(id) {
	if (!ids.delete(id) || !dog) return;
	tell({ forget: id });
	if (ids.size > 0) return;
	dog.stdin?.end();
	dog = undefined;
}

function release() {
	const child = spawn(process.execPath, [fileURLToPath(new URL('watchdogProcess.mjs', import.meta.url))], {
		// A group of its own, or a signal to the runner's group would end the dog first.
		detached: true,
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	// Neither the process nor its pipe may keep a finished run alive.
	child.unref();
	/** @type {import('node:net').Socket} */ (child.stdin).unref();
	child.stdin.on('error', () => {});
	return child;
}

/** @param {unknown} message */
function tell(message) {
	dog?.stdin?.write(`${JSON.stringify(message)}\n`);
}
