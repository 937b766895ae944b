import { spawnSync } from 'node:child_process';

export interface Account {
	uid: number;
	gid: number;
}

/**
 * The account to run PostgreSQL under when this process is root, which PostgreSQL refuses.
 * undefined: not root, so our own account does.
 */
export function unprivilegedAccount(): Account | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ['postgres', 'nobody']) {
		const uid = idOf('-u', name);
		const gid = idOf('-g', name);
		if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid };
	}
	throw new Error(
		'PostgreSQL refuses to run as root, and there is neither a "postgres" nor a "nobody" account to run it under. Run the tests as another user, or set LEDGER_TEST_POSTGRES_URL.',
	);
}

/** `id` reads whatever directory service the machine has, which /etc/passwd alone doesn't. */
function idOf(flag: '-u' | '-g', name: string): number | undefined {
	const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
	const id = Number(stdout);
	return status === 0 && Number.isInteger(id) && id >= 0 && stdout.trim() !== '' ? id : undefined;
}
