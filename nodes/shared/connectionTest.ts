import { randomUUID } from 'node:crypto';

import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import type { ClaimCommand } from '../../ledger/core/commands';
import { LedgerError } from '../../ledger/core/errors';
import type { StoreSettings } from '../../ledger/core/settings';
import type { LedgerStore, StoreReport } from '../../ledger/core/store';
import { openStore } from '../../ledger/stores/openStore';
import { describeFailure, errorText } from './nodeErrors';
import { settingsFromCredential } from './settings';

/** Above the longest a healthy ledger needs for the handful of commands below. */
const LONGEST_TEST_MS = 45_000;
const LONGEST_CLOSE_MS = 2_000;
const OPERATION = 'idempotency_connection_test';

/**
 * The Test button of the credential: opens a store of its own, looks for everything that would break
 * a guarantee, and makes and releases one claim, so that missing rights show. Never throws or hangs.
 */
export async function ledgerConnectionTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { settings } = settingsFromCredential(credential.data ?? {});
		return await withinTime(testStore(settings), LONGEST_TEST_MS);
	} catch (error) {
		return { status: 'Error', message: errorText(describeFailure(error)) };
	}
}

async function testStore(settings: StoreSettings): Promise<INodeCredentialTestResult> {
	const store = await openStore(settings);
	try {
		const report = await store.inspect();
		const problems = texts(report, 'problem');
		if (problems.length > 0) {
			return { status: 'Error', message: sentences([`Connected to ${report.server}, but it isn't safe as a ledger`, ...problems]) };
		}
		await claimAndRelease(store);
		return { status: 'OK', message: summary(report) };
	} finally {
		await withinTime(store.close(), LONGEST_CLOSE_MS).catch(() => undefined);
	}
}

async function claimAndRelease(store: LedgerStore): Promise<void> {
	const command = throwAwayClaim();
	const { key, token } = command;
	const [claimed] = await store.claim([command]);
	const [released] = await store.release([{ key, token, attempt: 1, rerun: false, executionId: null }]);
	if (claimed.outcome !== 'claimed' || released.outcome !== 'released') {
		throw new LedgerError(
			'UNEXPECTED',
			`The ledger answered a test claim with ${claimed.outcome}, and its release with ${released.outcome}`,
		);
	}
}

/** A key nobody else has, forgotten by itself if the release doesn't get through. */
function throwAwayClaim(): ClaimCommand {
	const businessId = randomUUID();
	return {
		key: `${OPERATION}:${businessId}`,
		operation: OPERATION,
		businessId,
		scope: null,
		version: null,
		token: randomUUID(),
		leaseMs: 60_000,
		policy: 'review',
		maxAttempts: 1,
		retentionSeconds: 60,
		fingerprint: null,
		fingerprintFields: null,
		correlationId: null,
		owner: { instanceId: null, workflowId: null, workflowName: null, executionId: null, nodeName: 'Connection test' },
		ephemeral: true,
	};
}

function summary(report: StoreReport): string {
	const warnings = texts(report, 'warning').map((text) => `Warning: ${text}`);
	// What the first sentence says already isn't said again.
	const found = texts(report, 'ok').filter((text) => !report.server.startsWith(text));
	return sentences([`Connected to ${report.server}`, ...found, 'A test claim was made and released', ...warnings]);
}

const texts = (report: StoreReport, level: StoreReport['findings'][number]['level']) =>
	report.findings.filter((finding) => finding.level === level).map((finding) => finding.text);

const sentences = (parts: string[]) => parts.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ');

async function withinTime<Value>(work: Promise<Value>, ms: number): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new LedgerError('TIMEOUT', `The ledger did not answer within ${Math.round(ms / 1000)} seconds`)),
			ms,
		);
	});
	return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
