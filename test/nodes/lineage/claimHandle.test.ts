import { claimedHandle, isClaimHandle, sealedTokens } from '../../../nodes/shared/claimHandle';

const handle = { key: 'op:1', token: 't', attempt: 1, operation: 'op', businessId: '1', scope: null, version: null, executionId: null, ephemeral: false };

describe('claim handle in an item', () => {
	it('is accepted with every field, and comes out without what else is there', () => {
		expect(isClaimHandle({ ...handle, more: 1 })).toBe(true);
		expect(claimedHandle({ status: 'claimed', ...handle, more: 1 })).toEqual(handle);
		expect(isClaimHandle({ ...handle, scope: 'tenant', version: '2', executionId: '7', ephemeral: true })).toBe(true);
	});

	it.each(Object.keys(handle))('is refused without %s', (name) => {
		const rest: Partial<typeof handle> = { ...handle };
		delete rest[name as keyof typeof handle];
		expect(isClaimHandle(rest)).toBe(false);
	});

	it.each([
		['key', ''],
		['key', 1],
		['token', ''],
		['token', null],
		['operation', {}],
		['businessId', 1],
		['attempt', 0],
		['attempt', 1.5],
		['attempt', '1'],
		['attempt', Number.NaN],
		['scope', 1],
		['version', undefined],
		['executionId', 7],
		['ephemeral', 'false'],
	])('is refused with %s = %p', (name, value) => {
		expect(isClaimHandle({ ...handle, [name]: value })).toBe(false);
	});

	it('own properties only', () => {
		expect(isClaimHandle(Object.create(handle))).toBe(false);
		expect(claimedHandle({ ...handle, __proto__: { status: 'claimed' } })).toBeNull();
	});

	it.each([null, undefined, 'text', 1, [], [handle]])('%p is none', (value) => {
		expect(isClaimHandle(value)).toBe(false);
		expect(claimedHandle(value)).toBeNull();
		expect(sealedTokens(value)).toEqual([]);
	});

	it.each(['done_before', 'in_progress', 'review', 'sealed', undefined])('status %p is not claimed', (status) => {
		expect(claimedHandle({ ...handle, status })).toBeNull();
	});

	it('sealed tokens are texts in a list', () => {
		expect(sealedTokens({ sealedTokens: ['a', 1, null, 'b'] })).toEqual(['a', 'b']);
		expect(sealedTokens({ sealedTokens: 'a' })).toEqual([]);
	});
});
