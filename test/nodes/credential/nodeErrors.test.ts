import { ExpressionError, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { LEDGER_ERRORS, LedgerError } from '../../../ledger/core/errors';
import { describeFailure, errorText, toNodeError } from '../../../nodes/shared/nodeErrors';

const node: INode = { id: '1', name: 'Claim', type: 'n8n-nodes-idempotency.idempotencyClaim', typeVersion: 1, position: [0, 0], parameters: {} };

describe('errors in words', () => {
	it('a ledger error becomes message and advice, with the item’s index', () => {
		const error = toNodeError(node, new LedgerError('READ_ONLY', 'The server is a standby'), 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The server is a standby');
		expect(error.description).toBe(LEDGER_ERRORS.READ_ONLY.advice);
		expect(error.context.itemIndex).toBe(3);
	});

	it.each(['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'getaddrinfo EAI_AGAIN'])('a message with %s survives n8n’s own rewording', (code) => {
		const message = `PostgreSQL at db:5432 could not be reached: connect ${code}`;
		expect(toNodeError(node, new LedgerError('UNREACHABLE', message), 0).message).toBe(message);
	});

	it('a ledger error of another copy of the package (after an update) is still one', () => {
		const foreign = Object.assign(new Error('held'), { name: 'LedgerError', code: 'BUSY', advice: 'wait', retryable: true });
		expect(describeFailure(foreign)).toEqual({ code: 'BUSY', message: 'held', advice: 'wait' });
	});

	it('n8n’s own errors keep their words and name the parameter', () => {
		const expression = new ExpressionError('Referenced node is unexecuted', { parameter: 'businessId', description: 'Run it first' });
		expect(describeFailure(expression)).toEqual({
			code: 'INVALID_PARAMETER',
			message: 'The parameter businessId could not be read: Referenced node is unexecuted',
			advice: 'Run it first',
		});
		expect(describeFailure(new UserError('Could not get parameter')).code).toBe('INVALID_PARAMETER');
		expect(describeFailure(new NodeApiError(node, { message: 'no' })).code).toBe('INVALID_PARAMETER');
	});

	it('a bug is one line, without its stack', () => {
		const failure = describeFailure(new TypeError('a is undefined\n    at file.ts:1:1'));
		expect(failure).toMatchObject({ code: 'UNEXPECTED', message: 'Something unexpected happened in this node: a is undefined' });
		expect(describeFailure('text').message).toContain('text');
		expect(describeFailure(undefined).code).toBe('UNEXPECTED');
	});

	it('one text for the error output says both', () => {
		expect(errorText({ code: 'BUSY', message: 'It is held', advice: 'Wait.' })).toBe('It is held. Wait.');
		expect(errorText({ code: 'BUSY', message: 'It is held!', advice: 'Wait.' })).toBe('It is held! Wait.');
	});
});
