import type { INodeProperties } from 'n8n-workflow';

export const operationProperty: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Get', value: 'get', description: 'Get the record of one key', action: 'Get a record' },
		{
			name: 'Get Many',
			value: 'getMany',
			description: 'List records, for example all that need a review',
			action: 'Get many records',
		},
		{
			name: 'Get Statistics',
			value: 'getStatistics',
			description: 'Count records, stopped duplicates, conflicts and take-overs',
			action: 'Get statistics',
		},
	],
	default: 'get',
};

export const statisticsProperties: INodeProperties[] = [
	{
		displayName: 'Format',
		name: 'format',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json', description: 'One item with totals and a list of operations' },
			{ name: 'Prometheus', value: 'prometheus', description: 'One item with the text that Prometheus scrapes' },
		],
		default: 'json',
		displayOptions: { show: { operation: ['getStatistics'] } },
	},
];
