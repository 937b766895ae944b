const { join } = require('node:path');

const base = require('../jest.config');

/**
 * The tests that run a real n8n: one at a time, since each n8n wants a core of its own.
 *
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: join(__dirname, '..'),
	roots: ['<rootDir>/e2e'],
	testMatch: ['**/e2e/**/*.test.ts'],
	testTimeout: 180_000,
	maxWorkers: 1,
};
