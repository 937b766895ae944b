import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

// n8n's rules for nodes (no child processes, errors of n8n's own classes …) are about what n8n loads.
// Tests and tools start servers and throw plain errors; they keep all the other rules.
const rulesForNodes = configWithoutCloudSupport
	.flatMap(({ rules = {} }) => Object.keys(rules))
	.filter((name) => name.startsWith('@n8n/community-nodes/'));

// Without cloud support: n8n accepts neither TCP clients nor flow-control nodes for its cloud, and
// this package is for those who host n8n themselves.
export default [
	...configWithoutCloudSupport,
	{
		files: ['{test,e2e,demo,bench}/**/*.ts'],
		rules: Object.fromEntries(rulesForNodes.map((name) => [name, 'off'])),
	},
	// Written by "npm run generate", checked by test/package/generated.test.ts.
	{ ignores: ['**/*.generated.ts', '.state/**'] },
];
