import type { Setting } from './world';

const review = { policy: 'review', deliveries: 1 } as const;
const takeOver = { policy: 'take_over', deliveries: 1 } as const;

/** Small worlds that are seen wholly, in seconds. */
export const SETTINGS: readonly Setting[] = [
	{ name: 'two deliveries that may not be taken over, a person, n8n\'s Retry button', workers: [review, review], maxAttempts: 2, decisions: 1, retries: 1, counted: true, sweeps: true },
	{ name: 'three deliveries, two at a time, a person', workers: [{ ...review, deliveries: 2 }, review], maxAttempts: 2, decisions: 1, counted: true },
	{ name: 'three deliveries that may be taken over', workers: [takeOver, takeOver, takeOver], maxAttempts: 2, decisions: 0, sweeps: true },
	{ name: 'one that allows a take-over and one that does not, a person', workers: [takeOver, review], maxAttempts: 3, decisions: 1, counted: true, sweeps: true },
	{ name: 'two that allow a take-over, and one that does not', workers: [takeOver, review, takeOver], maxAttempts: 3, decisions: 0 },
	{ name: 'words that contradict each other', workers: [takeOver, takeOver], maxAttempts: 2, decisions: 0, contradictions: true },
	{ name: 'words that contradict each other, and a person', workers: [review, review], maxAttempts: 2, decisions: 1, contradictions: true },
	{ name: 'another payload, a person who accepts it', workers: [takeOver, { ...takeOver, fingerprint: 'v1:b' }], maxAttempts: 2, decisions: 1 },
	{ name: 'records that are forgotten', workers: [review, takeOver], maxAttempts: 2, decisions: 1, expiries: 1 },
	{ name: 'a person who forces', workers: [review, review], maxAttempts: 2, decisions: 1, force: true },
	{ name: 'old copies of claims that arrive late', workers: [takeOver, takeOver], maxAttempts: 3, decisions: 0, strays: 1 },
];

/** Larger ones, for LEDGER_TEST_MODEL=deep: minutes. */
export const DEEP_SETTINGS: readonly Setting[] = [
	{ name: 'a person who decides twice', workers: [review, review], maxAttempts: 2, decisions: 2, counted: true },
	{ name: 'two decisions, four deliveries', workers: [{ ...review, deliveries: 2 }, { ...review, deliveries: 2 }], maxAttempts: 3, decisions: 2, counted: true },
	{ name: 'three that may be taken over, a person', workers: [takeOver, takeOver, takeOver], maxAttempts: 3, decisions: 1 },
	{ name: 'contradictions, take-overs, a person', workers: [takeOver, takeOver], maxAttempts: 3, decisions: 1, contradictions: true, retries: 1 },
	// Not together: no copy of a claim is older than the retention.
	{ name: 'a person who forces, Retry, old copies', workers: [takeOver, takeOver], maxAttempts: 3, decisions: 1, force: true, retries: 1, strays: 1 },
	{ name: 'a person who forces, Retry, forgotten records', workers: [takeOver, takeOver], maxAttempts: 3, decisions: 1, force: true, retries: 1, expiries: 1 },
];
