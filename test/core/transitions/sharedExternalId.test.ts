import { noteSharedExternalId } from '../../../ledger/core/transitions';
import { NOW, STORED } from './situation';
import type { Stored } from './situation';

describe('an external ID that another key of the operation has', () => {
	it('is noted on a success, once, and the success stands', () => {
		const before = STORED['S with ID']();
		const noted = noteSharedExternalId(before, 'charge:2', '8', NOW);
		expect(noted).toMatchObject({
			state: 'succeeded', result: 'first', revision: before.revision + 1,
			anomalies: [{ kind: 'shared_external_id', externalId: 'id-1', otherKey: 'charge:2', at: NOW }],
		});
		expect(noted.history.at(-1)).toMatchObject({ note: 'shared_external_id', from: 'succeeded', to: 'succeeded', executionId: '8' });
		expect(noteSharedExternalId(noted, 'charge:2', '8', NOW)).toBe(noted);
		expect(noteSharedExternalId(noted, 'charge:3', '8', NOW).anomalies).toHaveLength(2);
	});

	it.each((Object.keys(STORED) as Stored[]).filter((name) => !name.startsWith('S') && name !== 'none'))('changes nothing on %s', (name) => {
		const before = { ...STORED[name]()!, externalId: 'id-1' };
		expect(noteSharedExternalId(before, 'charge:2', null, NOW)).toBe(before);
	});

	it('changes nothing on a success without ID', () => {
		const before = STORED['S']();
		expect(noteSharedExternalId(before, 'charge:2', null, NOW)).toBe(before);
	});
});
