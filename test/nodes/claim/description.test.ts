import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { IdempotencyLedgerApi } from '../../../credentials/IdempotencyLedgerApi.credentials';
import { IdempotencyClaim } from '../../../nodes/IdempotencyClaim/IdempotencyClaim.node';
import { IdempotencyLookup } from '../../../nodes/IdempotencyLookup/IdempotencyLookup.node';

const root = join(__dirname, '..', '..', '..');

/** Names of the parameters that the form shows for these values. */
function shown(description: INodeTypeDescription, given: INodeParameters): string[] {
	const node: INode = { id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: given };
	const values = NodeHelpers.getNodeParameters(description.properties, given, true, false, node, description)!;
	return description.properties.filter((property) => NodeHelpers.displayParameter(values, property, node, description)).map(({ name }) => name);
}

describe('what n8n shows of Claim and Lookup', () => {
	const claim = new IdempotencyClaim().description;
	const lookup = new IdempotencyLookup().description;

	it('Claim has four outputs, whose labels the canvas doesn’t cut', () => {
		expect(claim.outputNames).toEqual(['Claimed', 'Done Before', 'In Progress', 'Review']);
		expect(claim.outputs).toHaveLength(4);
		for (const label of claim.outputNames!) expect(label.length).toBeLessThanOrEqual(11);
	});

	it('a choice that may repeat the effect shows a notice, and only that', () => {
		expect(shown(claim, {})).not.toContain('takeOverNotice');
		expect(shown(claim, { whenLeaseExpires: 'take_over' })).toContain('takeOverNotice');
		for (const retentionDays of [0, 30, 90]) expect(shown(claim, { retentionDays })).not.toContain('retentionNotice');
		for (const retentionDays of [0.5, 1, 7, 29]) expect(shown(claim, { retentionDays })).toContain('retentionNotice');
	});

	it('Lookup shows the fields of its operation', () => {
		expect(shown(lookup, {})).toEqual(['operation', 'lookUpBy', 'claimedOperation', 'businessId', 'options']);
		expect(shown(lookup, { lookUpBy: 'key' })).toEqual(['operation', 'lookUpBy', 'key']);
		expect(shown(lookup, { operation: 'getMany', returnAll: true })).toEqual(['operation', 'returnAll', 'filters']);
		expect(shown(lookup, { operation: 'getStatistics' })).toEqual(['operation', 'format']);
	});

	it('icons are there in light and dark, and search words in the codex', () => {
		const icons = [
			['nodes/IdempotencyClaim', claim.icon],
			['nodes/IdempotencyLookup', lookup.icon],
			['credentials', new IdempotencyLedgerApi().icon],
		] as const;
		for (const [folder, icon] of icons) {
			const { light, dark } = icon as { light: string; dark: string };
			expect(light).not.toBe(dark);
			for (const name of [light, dark]) expect(existsSync(join(root, folder, name.replace('file:', '')))).toBe(true);
		}
		for (const name of ['IdempotencyClaim', 'IdempotencySeal', 'IdempotencyLookup']) {
			const codex = JSON.parse(readFileSync(join(root, 'nodes', name, `${name}.node.json`), 'utf8')) as { node: string; alias: string[] };
			expect(codex.node).toBe(`n8n-nodes-idempotency.${name[0].toLowerCase()}${name.slice(1)}`);
			expect(codex.alias).toEqual(expect.arrayContaining(['idempotency', 'duplicate', 'exactly once']));
		}
	});
});
