import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from '../support/engine/workflowJson';

const folder = join(__dirname, '../../templates');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

const STICKY = 'n8n-nodes-base.stickyNote';
const OUTPUTS: Record<string, number> = {
	'n8n-nodes-idempotency.idempotencyClaim': 4,
	'n8n-nodes-idempotency.idempotencySeal': 4,
	'n8n-nodes-base.if': 2,
};
const isTrigger = ({ type }: INode) => /trigger$|\.webhook$/i.test(type);
const isSeal = ({ type, parameters }: INode) => /\.idempotencySeal$/.test(type) && parameters.operation === undefined;

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** What a node covers on the canvas, its label below included; px. */
function boxOf({ name, type, position: [x, y], parameters }: INode): Box {
	if (type === STICKY) return { name, left: x, top: y, right: x + Number(parameters.width), bottom: y + Number(parameters.height) };
	const width = /\.agent$/.test(type) ? 256 : 96;
	return { name, left: x - 32, top: y, right: x + width + 32, bottom: y + 136 };
}

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(files)('templates/%s', (file) => {
	const { nodes, connections, name } = read(file);
	const wires = Object.entries(connections).flatMap(([from, byType]) =>
		Object.entries(byType).flatMap(([type, outputs]) =>
			outputs.flatMap((output, index) => (output ?? []).map(({ node }) => ({ from, type, index, to: node }))),
		),
	);

	it('has a name, an explanation in a sticky note, and names that are used once', () => {
		expect(name).toMatch(/\w+ \w+/);
		expect(nodes.filter(({ type }) => type === STICKY).length).toBeGreaterThanOrEqual(1);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	it('wires every output of Claim, Seal and If', () => {
		const open = nodes.flatMap((node) =>
			[...Array(OUTPUTS[node.type] ?? 0).keys()]
				.filter((index) => !wires.some(({ from, index: wired }) => from === node.name && wired === index))
				.map((index) => `${node.name}, output ${index}`),
		);
		expect(open).toEqual([]);
	});

	it('leaves no node without a connection, and wires only nodes that are there', () => {
		const working = nodes.filter(({ type }) => type !== STICKY);
		const lonely = working.filter((node) => !wires.some(({ from, to }) => from === node.name || to === node.name));
		expect(lonely.map((node) => node.name)).toEqual([]);
		const unreached = working.filter((node) => !isTrigger(node) && !wires.some(({ from, to, type }) => to === node.name || (from === node.name && type !== 'main')));
		expect(unreached.map((node) => node.name)).toEqual([]);
		const names = nodes.map((node) => node.name);
		expect(wires.flatMap(({ from, to }) => [from, to]).filter((one) => !names.includes(one))).toEqual([]);
	});

	it('lays nodes out without overlaps', () => {
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((box, i) => boxes.slice(i + 1).filter((other) => meet(box, other)).map((other) => `${box.name} / ${other.name}`));
		expect(overlaps).toEqual([]);
	});

	it('sets the node before each seal to On Error = Continue, without Retry On Fail', () => {
		for (const seal of nodes.filter(isSeal)) {
			const effects = nodes.filter((node) => wires.some(({ from, to }) => from === node.name && to === seal.name));
			expect(effects.map(({ onError, retryOnFail }) => ({ onError, retryOnFail }))).toEqual([{ onError: 'continueRegularOutput', retryOnFail: undefined }]);
		}
	});

	it('refers to the ledger by its placeholder, and to nothing outside example.com', () => {
		for (const { name: node, type, credentials } of nodes.filter((one) => one.type.startsWith('n8n-nodes-idempotency.'))) {
			expect({ node, type, credentials }).toEqual({ node, type, credentials: { idempotencyLedgerApi: { id: 'ledger', name: 'Embedded ledger' } } });
		}
		const hosts = [...JSON.stringify(nodes).matchAll(/https?:\/\/([^/"' ]+)/g)].map(([, host]) => host);
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
	});
});
