import 'reflect-metadata';

import { rmSync } from 'node:fs';

import { temporaryFolder } from '../servers/temporaryFolder';

/**
 * What n8n-core wants to find before it is loaded: decorators' metadata, and a user folder of its own,
 * so that no test reads or writes the home folder. Import this before anything of n8n-core.
 */
function prepare(): void {
	if (process.env.LEDGER_TEST_ENGINE_FOLDER === undefined) {
		const folder = temporaryFolder('engine');
		process.env.LEDGER_TEST_ENGINE_FOLDER = folder;
		process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	}
	process.env.N8N_USER_FOLDER = process.env.LEDGER_TEST_ENGINE_FOLDER;
	// Given, so that n8n-core neither makes up a key nor prints that it did.
	process.env.N8N_ENCRYPTION_KEY ??= 'engine-tests-only';
	process.env.N8N_LOG_LEVEL ??= 'silent';
}

prepare();
