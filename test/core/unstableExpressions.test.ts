import { findUnstable } from '../../ledger/core/unstableExpressions';

const found = (raw: string) => findUnstable(raw).map(({ text }) => text);

test.each<[string, string[]]>([
	['={{ $execution.id }}', ['$execution']],
	['={{ $executionId }}', ['$execution']],
	['=order-{{ $json.id }}-{{ $now.toISO() }}', ['$now']],
	['={{ $today }}', ['$today']],
	['={{ $runIndex }}', ['$runIndex']],
	['={{ Date.now() }}', ['Date.now']],
	['={{ Date . now () }}', ['Date.now']],
	['={{ DateTime.now().toMillis() }}', ['DateTime.now']],
	['={{ DateTime.utc() }}', ['DateTime.now']],
	['={{ new Date().toISOString() }}', ['new Date()']],
	['={{ +new Date }}', ['new Date()']],
	['={{ new Date( ) }}', ['new Date()']],
	['={{ Math.random() }}', ['Math.random']],
	['={{ crypto.randomUUID() }}', ['uuid']],
	['={{ $json.uuid }}', ['uuid']],
	['={{ $now }}{{ $execution.id }}', ['$execution', '$now']],
	['={{\n\t$json.id +\n\t$runIndex\n}}', ['$runIndex']],
])('%s', (raw, texts) => {
	expect(found(raw)).toEqual(texts);
});

test.each([
	'={{ $json.orderId }}',
	'={{ $json.now }}',
	'={{ $nowhere }}',
	'={{ new Date($json.createdAt).toISOString() }}',
	'={{ new DateRange($json.x) }}',
	'={{ DateTime.fromISO($json.at) }}',
	'={{ $json.candidate.nowadays }}',
	'=Math.random and $now outside of braces {{ $json.id }}',
	'{{ $now }}',
	'$execution.id',
	'',
	'=',
])('%s can work', (raw) => {
	expect(found(raw)).toEqual([]);
});

test('each says why in one sentence', () => {
	const all = findUnstable('={{ $execution $now $today $runIndex Date.now new Date() Math.random uuid DateTime.now }}');
	expect(all).toHaveLength(9);
	for (const { reason } of all) expect(reason).toMatch(/^[a-z].{15,}[^.]$/i);
});
