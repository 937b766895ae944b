import { LEDGER_STATES } from '../../ledger/core/states';
import type { OperationStatistics, Statistics } from '../../ledger/core/store';

/** What a webhook that Prometheus scrapes has to answer with. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Metric {
	name: string;
	help: string;
	samples: (one: OperationStatistics) => Array<[labels: Record<string, string>, value: number]>;
}

const single =
	(value: (one: OperationStatistics) => number | null): Metric['samples'] =>
	(one) => {
		const number = value(one);
		return number === null ? [] : [[{ operation: one.operation }, number]];
	};

/** All gauges, also the counts of events: they are kept on the records and leave with them. */
const METRICS: Metric[] = [
	{
		name: 'idempotency_records',
		help: 'Records in the ledger',
		samples: (one) => LEDGER_STATES.map((state) => [{ operation: one.operation, state }, one.states[state]]),
	},
	{ name: 'idempotency_duplicates_stopped', help: 'Claims turned away or answered from the ledger, on the records kept', samples: single((one) => one.duplicates) },
	{ name: 'idempotency_conflicts', help: 'Claims refused because the payload differs, on the records kept', samples: single((one) => one.conflicts) },
	{ name: 'idempotency_takeovers', help: 'Expired leases handed to another claim, on the records kept', samples: single((one) => one.takeovers) },
	{ name: 'idempotency_stale_seals', help: 'Seals from holders that no longer held, on the records kept', samples: single((one) => one.staleSeals) },
	{ name: 'idempotency_stuck_claims', help: 'Claims whose lease is over and that nobody sealed', samples: single((one) => one.stuck) },
	{ name: 'idempotency_oldest_processing_seconds', help: 'Age of the oldest claim that is not sealed', samples: single((one) => seconds(one.oldestProcessingMs)) },
	{ name: 'idempotency_oldest_review_seconds', help: 'How long the oldest record in review has been there', samples: single((one) => seconds(one.oldestReviewMs)) },
];

/**
 * Statistics in the Prometheus text exposition format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
export function prometheusText({ operations }: Statistics): string {
	return METRICS.map(({ name, help, samples }) => {
		const lines = operations.flatMap(samples).map(([labels, value]) => `${name}{${labelText(labels)}} ${value}`);
		return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines].join('\n') + '\n';
	}).join('');
}

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

function labelText(labels: Record<string, string>): string {
	return Object.entries(labels)
		.map(([name, value]) => `${name}="${escaped(value)}"`)
		.join(',');
}

/** In a label value only backslash, double quote and line feed are escaped. */
function escaped(value: string): string {
	return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
