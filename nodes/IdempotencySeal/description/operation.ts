import type { INodeProperties } from 'n8n-workflow';

export const operationProperty: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Extend Lease',
			value: 'extend',
			description: 'Keep a claim alive for longer, right before a slow effect',
			action: 'Extend the lease of a claim',
		},
		{
			name: 'Release',
			value: 'release',
			description: 'Give a claim back whose effect was certainly not attempted',
			action: 'Release a claim',
		},
		{
			name: 'Resolve',
			value: 'resolve',
			description: 'Record what a person found out about a record in review',
			action: 'Resolve a record in review',
		},
		{
			name: 'Seal',
			value: 'seal',
			description: 'Record the outcome of the effect that was claimed',
			action: 'Seal the outcome of an effect',
		},
	],
	default: 'seal',
};
