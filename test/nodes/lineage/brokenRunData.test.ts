import { claimed, items, lineageOf, task, type RunData } from './storedRuns';

const first = (node: string) => ({ node, run: 0, output: 0, index: 0 });
const empty = () => ({});
const one = (json: () => object = empty) => [items(1, json)];

describe('run data that is not as it should be', () => {
	it('links that go round in a circle lead nowhere, and name a node', () => {
		const lineage = lineageOf({ A: [task('B', one())], B: [task('A', one())] });
		expect(lineage.traceAt(first('A'))?.clues).toEqual([{ kind: 'lost', node: 'B' }]);
	});

	it('nodes, runs, outputs and items that are not there', () => {
		const lineage = lineageOf({ A: [task('constructor', one())] });
		expect(lineage.traceAt(first('A'))?.clues).toEqual([{ kind: 'lost', node: 'A' }]);
		for (const position of [first('toString'), first('__proto__'), { ...first('A'), run: 1 }, { ...first('A'), output: 1 }, { ...first('A'), index: 1 }]) {
			expect(lineage.traceAt(position)).toBeUndefined();
		}
	});

	it('run data that is only inherited is not there', () => {
		const runData = Object.create({ Claim: [task('Start', one(() => claimed(0)))] }) as RunData;
		expect(lineageOf(runData).traceAt(first('Claim'))).toBeUndefined();
	});

	it('a task that was replaced (a node that waited and went on) is worked out anew', () => {
		const runData: RunData = { Start: [task(null, one())], Claim: [task('Start', [[], items(1, empty)])] };
		const lineage = lineageOf(runData);
		expect(lineage.traceAt(first('Claim'))).toBeUndefined();
		runData.Claim[0] = task('Start', one(() => claimed(0)));
		expect(lineage.traceAt(first('Claim'))?.claims.open).toHaveLength(1);
	});

	it('a node with two inputs that leaves the input out of its links: no doubt while only one input was used', () => {
		const runData: RunData = { Start: [task(null, one())], Claim: [task('Start', one(() => claimed(0)))], Other: [task('Start', one())] };
		const link = { previousNode: 'Claim' };
		runData.Merge = [{ ...task('Claim', one()), source: [null, link] }];
		expect(lineageOf(runData).traceAt(first('Merge'))?.claims.open).toHaveLength(1);
		runData.Merge = [{ ...task('Claim', one()), source: [null, link, { previousNode: 'Other' }] }];
		expect(lineageOf(runData).traceAt(first('Merge'))?.clues).toEqual([{ kind: 'lost', node: 'Merge' }]);
	});

	it('a Claim that failed claims nothing, although its input came out with a handle', () => {
		const failed = { ...task(null, one(() => claimed(0))), error: new Error('down') as never };
		expect(lineageOf({ Claim: [failed] }).traceAt(first('Claim'))).toMatchObject({ claims: { open: [] }, clues: [{ kind: 'root' }, { kind: 'claimFailed' }] });
	});

	it('a handle that came into a Claim as it went out is not that Claim’s', () => {
		const lineage = lineageOf({ Start: [task(null, one(() => claimed(0)))], Claim: [task('Start', one(() => claimed(0)))] });
		expect(lineage.traceAt(first('Claim'))).toMatchObject({ claims: { open: [] }, carried: { open: [{ node: 'Start' }] } });
	});

	it('a disabled Seal sealed nothing, whatever its items say', () => {
		const runData: RunData = {
			Start: [task(null, one())],
			Claim: [task('Start', one(() => claimed(0)))],
			Seal: [task('Claim', one(() => ({ idempotency: { sealedTokens: ['t0'] } })))],
		};
		expect(lineageOf(runData).traceAt(first('Seal'))).toMatchObject({ claims: { open: [], sealed: [{}] } });
		expect(lineageOf(runData, { disabled: ['Seal'] }).traceAt(first('Seal'))).toMatchObject({ claims: { open: [{}], sealed: [] } });
	});

	it('what happened inside the inner guard happened inside the outer one', () => {
		const runData: RunData = {
			Start: [task(null, one())],
			'Claim outer': [task('Start', one(() => claimed(0)))],
			'Claim inner': [task('Claim outer', one(() => claimed(1)))],
			Effect: [task('Claim inner', [items(1, empty), items(1, () => ({ error: 'x' }))])],
			Seal: [task('Effect', one(() => ({ idempotency: { sealedTokens: ['t1'] } })))],
		};
		const trace = lineageOf(runData, { pinned: ['Effect'] }).traceAt(first('Seal'));
		expect(trace?.claims.open).toMatchObject([{ node: 'Claim outer', facts: { pinned: true, enabled: true, errors: 1 } }]);
	});

	it('guards are no effects: only disabled nodes inside the inner guard means only disabled nodes inside the outer one', () => {
		const runData: RunData = {
			Start: [task(null, one())],
			'Claim outer': [task('Start', one(() => claimed(0)))],
			'Claim inner': [task('Claim outer', one(() => claimed(1)))],
			Effect: [task('Claim inner', one())],
			Seal: [task('Effect', one(() => ({ idempotency: { sealedTokens: ['t1'] } })))],
		};
		const trace = lineageOf(runData, { disabled: ['Effect'] }).traceAt(first('Seal'));
		expect(trace?.claims.open).toMatchObject([{ node: 'Claim outer', facts: { enabled: false, disabled: true } }]);
	});
});
