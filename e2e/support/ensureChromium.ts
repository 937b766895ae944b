import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium on this machine; $CHROMIUM wins. Undefined when there is none. */
export function chromium(): string | undefined {
	const { CHROMIUM, PATH = '' } = process.env;
	if (CHROMIUM) return CHROMIUM;
	const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
	return places.find((place) => existsSync(place));
}

/**
 * Finds Chromium, or installs Debian's package where that is possible.
 *
 * @throws one sentence when there is no way
 */
export function ensureChromium(say: (line: string) => void): void {
	if (chromium() !== undefined) return;
	const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
	if (mayInstall) {
		say("Installing Debian's chromium for the tests …");
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
		const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
		spawnSync('apt-get', install, { env, stdio: ['ignore', 'ignore', 'inherit'] });
	}
	if (chromium() !== undefined) return;
	throw new Error(
		"No Chromium for the tests: none is on PATH, and Debian's package could not be installed (that takes root and apt-get). Install Chromium, or set CHROMIUM to its path.",
	);
}
