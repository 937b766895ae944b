import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, JsonObject } from 'n8n-workflow';

import { detectOutcome } from '../../../ledger/core/outcomeDetection';

/*
 * Errors as n8n itself makes them (n8n-workflow 2.41), live on the item and after the ways they lose
 * fields: spread by a database node, as JSON, and as the mere message that most nodes hand on.
 */
const node = { id: '1', name: 'HTTP', type: 'n8n-nodes-base.httpRequest', typeVersion: 4, position: [0, 0], parameters: {} } as INode;
const axiosLike = (status: number) => ({ message: `Request failed with status code ${status}`, response: { status, data: { message: 'no' } }, status });
const systemError = (code: string, message: string) => Object.assign(new Error(message), { code });

const live = (error: Error) => detectOutcome({ json: { error: error.message }, error }).word;
const asMessage = (error: Error) => detectOutcome({ json: { error: error.message } }).word;
const asJson = (error: Error) => detectOutcome({ json: { error: JSON.parse(JSON.stringify(error)) as unknown } }).word;
const spread = (error: Error) => detectOutcome({ json: { message: error.message, error: { ...error } } }).word;

describe('NodeApiError', () => {
	test.each<[number, string]>([[400, 'permanent'], [401, 'permanent'], [404, 'permanent'], [429, 'retryable'], [500, 'unknown'], [503, 'unknown']])(
		'%d is %s however it is handed on',
		(status, word) => {
			const error = new NodeApiError(node, axiosLike(status) as unknown as JsonObject);
			expect(error.httpCode).toBe(String(status));
			expect([live(error), asMessage(error), asJson(error), spread(error)]).toEqual([word, word, word, word]);
		},
	);

	test.each([408, 409, 425])('%d is unknown however it is handed on', (status) => {
		const error = new NodeApiError(node, axiosLike(status) as unknown as JsonObject);
		expect([live(error), asMessage(error), asJson(error), spread(error)]).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
	});

	test.each<[string, string, string]>([
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', 'retryable'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere.test', 'retryable'],
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN nowhere.test', 'retryable'],
		['ECONNRESET', 'socket hang up', 'unknown'],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', 'unknown'],
	])('%s is %s', (code, message, word) => {
		const error = new NodeApiError(node, systemError(code, message) as unknown as JsonObject);
		expect([live(error), asJson(error), spread(error)]).toEqual([word, word, word]);
		// n8n writes its words for a code over any message that mentions the code: no proof.
		expect(asMessage(error)).toBe('unknown');
	});

	test('a refused connection that the destination tells of is its own affair', () => {
		const error = new NodeApiError(node, { message: '500 - upstream: connect ECONNREFUSED 10.0.0.1:80' } as unknown as JsonObject, { httpCode: '500', message: '500 - upstream: connect ECONNREFUSED 10.0.0.1:80' });
		expect(error.message).toBe('The service refused the connection - perhaps it is offline');
		expect([live(error), asMessage(error), asJson(error), spread(error)]).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
	});

	test('a message of the node itself keeps the status', () => {
		const error = new NodeApiError(node, axiosLike(422) as unknown as JsonObject, { message: 'The card was declined' });
		expect(live(error)).toBe('permanent');
		expect(asMessage(error)).toBe('unknown');
	});
});

describe('NodeOperationError', () => {
	test('around a database error, spread by the Postgres node', () => {
		const cause = Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' });
		const error = new NodeOperationError(node, cause, { message: cause.message, description: 'Process 1 waits' });
		expect(live(error)).toBe('retryable');
		expect(spread(error)).toBe('retryable');
		expect(asMessage(error)).toBe('retryable');
	});

	test('around a unique violation', () => {
		const cause = Object.assign(new Error('duplicate key value violates unique constraint "orders_pkey"'), { code: '23505', severity: 'ERROR' });
		const error = new NodeOperationError(node, cause);
		expect([live(error), spread(error), asMessage(error)]).toEqual(['unknown', 'unknown', 'unknown']);
		expect(detectOutcome({ json: {}, error }).error).toMatchObject({ code: '23505' });
	});

	test('of a node that found its parameters wrong', () => {
		const error = new NodeOperationError(node, 'The resource is not known');
		expect(live(error)).toBe('unknown');
	});
});
