/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/test/**/*.test.ts'],
	// Not e2e: it needs a whole n8n and has a configuration of its own (e2e/jest.config.js).
	transform: {
		'^.+\\.[cm]?[jt]s$': [
			'@swc/jest',
			{
				jsc: {
					target: 'es2022',
					// n8n-core looks its services up by decorator; tests may declare such classes too.
					parser: { syntax: 'typescript', decorators: true },
					transform: { legacyDecorator: true, decoratorMetadata: true },
				},
				module: { type: 'commonjs', ignoreDynamic: false },
			},
		],
	},
	// Packages stay as they are, except the one that exists as an ES module only.
	transformIgnorePatterns: ['/node_modules/(?!canonicalize/)'],
	// It exports itself to `import` only, which Jest's resolver doesn't ask for.
	moduleNameMapper: { '^canonicalize$': '<rootDir>/node_modules/canonicalize/lib/canonicalize.js' },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.state/'],
	setupFilesAfterEnv: ['<rootDir>/test/support/jest/closeLedgers.ts'],
	globalSetup: '<rootDir>/test/support/jest/startServers.ts',
	globalTeardown: '<rootDir>/test/support/jest/stopServers.ts',
	testTimeout: 30_000,
	maxWorkers: 2,
};
