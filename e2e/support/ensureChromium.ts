import { spawnSync } from 'node:child_process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
let known: string | undefined;

/** Name or path of a Chromium on this machine; $CHROMIUM wins. Undefined when there is none. */
export function chromium(): string | undefined {
	const given = process.env.CHROMIUM;
	known ??= [given, ...NAMES].find((name) => name !== undefined && succeeds(name, ['--version']));
	return known;
}

/**
 * Finds Chromium, or installs Debian's package where that is possible.
 *
 * @throws one sentence when there is no way
 */
export function ensureChromium(say: (line: string) => void): void {
	if (chromium() !== undefined) return;
	if (process.getuid?.() === 0 && succeeds('apt-get', ['--version'])) {
		say("Installing Debian's chromium for the tests …");
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
		spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
	}
	if (chromium() !== undefined) return;
	throw new Error(
		"No Chromium for the tests: none is on PATH, and Debian's package could not be installed (that takes root and apt-get). Install Chromium, or set CHROMIUM to its path.",
	);
}

function succeeds(command: string, args: string[]): boolean {
	return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
