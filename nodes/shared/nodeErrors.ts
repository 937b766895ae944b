import { ExpressionError, NodeError, NodeOperationError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { isLedgerError, LEDGER_ERRORS } from '../../ledger/core/errors';
import type { LedgerErrorCode } from '../../ledger/core/errors';

/** An error as items and people get it: never a stack, never a secret. */
export interface Failure {
	code: LedgerErrorCode;
	/** what happened, one sentence */
	message: string;
	/** what to do about it */
	advice: string;
}

const LONGEST_MESSAGE = 500;

/** The one place where an error of any kind becomes words. Never throws. */
export function describeFailure(error: unknown): Failure {
	if (isLedgerError(error)) return { code: error.code, message: error.message, advice: error.advice };
	// Expressions that fail, parameters that n8n itself refuses: its words are made for users.
	if (error instanceof ExpressionError || error instanceof NodeError || error instanceof UserError) {
		const { description } = error as { description?: unknown };
		return {
			code: 'INVALID_PARAMETER',
			message: withParameter(error, firstLine(error.message)),
			advice: typeof description === 'string' && description !== '' ? description : LEDGER_ERRORS.INVALID_PARAMETER.advice,
		};
	}
	const message = error instanceof Error ? error.message : String(error);
	return {
		code: 'UNEXPECTED',
		message: `Something unexpected happened in this node: ${firstLine(message)}`,
		advice: LEDGER_ERRORS.UNEXPECTED.advice,
	};
}

/** For On Error = Stop: the message says what happened and in which item, the description what to do. */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeOperationError {
	const { message, advice } = describeFailure(error);
	const nodeError = new NodeOperationError(node, message, { description: advice, itemIndex });
	// n8n replaces messages that hold a code such as ECONNREFUSED by general ones; ours say which server.
	nodeError.message = message;
	return nodeError;
}

/** For On Error = Continue (using error output): one text, since n8n keeps nothing else there. */
export function errorText(failure: Failure): string {
	const end = /[.!?]$/.test(failure.message) ? ' ' : '. ';
	return `${failure.message}${end}${failure.advice}`;
}

function withParameter(error: Error, message: string): string {
	const { context } = error as { context?: { parameter?: unknown } };
	return typeof context?.parameter === 'string' ? `The parameter ${context.parameter} could not be read: ${message}` : message;
}

function firstLine(text: string): string {
	return text.split('\n', 1)[0].slice(0, LONGEST_MESSAGE);
}
