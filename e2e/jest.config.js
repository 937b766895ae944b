const { join } = require('node:path');

const base = require('../jest.config');

/**
 * The tests that run a real n8n: one n8n for all of them, one test at a time, since n8n wants a core
 * of its own.
 *
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: join(__dirname, '..'),
	roots: ['<rootDir>/e2e'],
	testMatch: ['**/e2e/**/*.test.ts'],
	// The ledgers are n8n's here.
	setupFilesAfterEnv: [],
	globalSetup: '<rootDir>/e2e/support/startAll.ts',
	globalTeardown: '<rootDir>/e2e/support/stopAll.ts',
	reporters: ['default', '<rootDir>/e2e/support/LogTailReporter.js'],
	testTimeout: 60_000,
	maxWorkers: 1,
};
