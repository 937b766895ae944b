import { detectOutcome } from '../../../ledger/core/outcomeDetection';
import type { DetectionOptions } from '../../../ledger/core/outcomeDetection';

const wordOf = (json: unknown, options?: DetectionOptions, error?: unknown) => detectOutcome({ json, error }, options).word;
const ofError = (error: unknown, options?: DetectionOptions) => wordOf({ orderId: 1, error }, options);

describe('An item without an error is a success', () => {
	test.each<[string, unknown]>([
		['an empty item', {}],
		['a result', { id: 'ch_1', amount: 10 }],
		['the empty error fields of APIs: null', { id: 1, error: null }],
		['false', { id: 1, error: false }],
		['an empty text', { id: 1, error: '' }],
		['an empty list', { id: 1, error: [] }],
		['zero', { id: 1, error: 0 }],
		['an undefined error', { id: 1, error: undefined }],
		['an error further inside', { data: { error: 'x' } }],
		['a business field called statusCode', { statusCode: 500, name: 'x' }],
		['statusCode and headers of a business record', { statusCode: 404, headers: { a: 1 } }],
		['headers that are nothing', { statusCode: 500, headers: null, body: 'x', statusMessage: 'x' }],
		['headers that are a list', { statusCode: 500, headers: [], body: 'x', statusMessage: 'x' }],
		['statusCode as text', { statusCode: '500', headers: {}, body: {} }],
		['a statusCode that is no HTTP status', { statusCode: 7, headers: {}, body: {} }],
		['an inherited error', Object.create({ error: 'x' }) as unknown],
	])('%s', (_name, json) => {
		expect(detectOutcome({ json })).toEqual({ word: 'success', error: null, retryAfterMs: null, evidence: expect.stringMatching(/\w/) });
	});
});

describe('What HTTP Request puts on its error output', () => {
	test.each<[string, Record<string, unknown>, string]>([
		['422', { message: '422 - "{}"', name: 'AxiosError', code: 'ERR_BAD_REQUEST', status: 422 }, 'permanent'],
		['429', { message: 'The service is receiving too many requests from you', name: 'AxiosError', code: 'ERR_BAD_REQUEST', status: 429 }, 'retryable'],
		['500', { message: '500 - "x"', name: 'AxiosError', code: 'ERR_BAD_RESPONSE', status: 500 }, 'unknown'],
		['503', { message: '503 - "x"', name: 'AxiosError', code: 'ERR_BAD_RESPONSE', status: 503 }, 'unknown'],
		['reset', { message: 'socket hang up', name: 'Error', code: 'ECONNRESET' }, 'unknown'],
		['time-out', { message: 'timeout of 300 ms exceeded', name: 'AxiosError', code: 'ECONNABORTED' }, 'unknown'],
		['refused', { message: 'connect ECONNREFUSED 127.0.0.1:9', name: 'Error', code: 'ECONNREFUSED' }, 'retryable'],
		['refused, by message alone', { message: 'connect ECONNREFUSED 127.0.0.1:9', name: 'NodeApiError' }, 'retryable'],
	])('%s', (_name, error, word) => {
		expect(wordOf({ orderId: 7, error: { stack: 'Error: at …', ...error } })).toBe(word);
	});

	test('a response among the fields the item came with is of an earlier call', () => {
		const earlier = { statusCode: 201, headers: {}, statusMessage: 'Created', body: {} };
		expect(wordOf({ ...earlier, error: { message: 'x', status: 422 } })).toBe('permanent');
		expect(wordOf({ ...earlier, statusCode: 500, error: { message: 'x', code: 'ECONNREFUSED' } })).toBe('retryable');
	});
});

describe('Every status, of a full response and of an error', () => {
	const permanent = [400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 426, 428, 431, 451, 404];
	const words = (status: number) =>
		status === 429 ? 'retryable' : permanent.includes(status) ? 'permanent' : status >= 200 && status < 300 ? 'success' : 'unknown';
	const statuses = [100, 101, 200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, ...permanent, 408, 409, 425, 429, 499, 500, 501, 502, 503, 504, 520, 599];

	test.each(statuses)('%d', (status) => {
		expect(wordOf({ body: {}, headers: { a: 'b' }, statusCode: status, statusMessage: 'x' })).toBe(words(status));
		// An error beside a 2xx (a body that couldn't be read): the effect may well have happened.
		const ofErrorWord = words(status) === 'success' ? 'unknown' : words(status);
		for (const name of ['status', 'statusCode', 'httpCode', 'code', 'status_code']) {
			expect(ofError({ message: 'x', [name]: status })).toBe(ofErrorWord);
			expect(ofError({ message: 'x', [name]: String(status) })).toBe(ofErrorWord);
		}
		expect(ofError({ message: 'x', response: { status, data: {} } })).toBe(ofErrorWord);
	});

	test.each<[string, unknown]>([
		['a file, whose body is binary', { headers: {}, statusCode: 500, statusMessage: 'Server Error' }],
		['a text under another name', { data: 'x', headers: {}, statusCode: 500, statusMessage: '' }],
		['a body and no status message', { body: 'x', headers: {}, statusCode: 500 }],
	])('%s is a full response too', (_name, json) => {
		expect(wordOf(json)).toBe('unknown');
	});

	test('what is kept of a failed response', () => {
		const response = { statusCode: 422, statusMessage: 'Unprocessable Entity', headers: {}, body: { error: { message: 'no such card' } } };
		expect(detectOutcome({ json: response })).toEqual({
			word: 'permanent',
			error: { code: null, httpStatus: 422, message: 'HTTP 422 Unprocessable Entity: no such card' },
			retryAfterMs: null,
			evidence: 'Status 422 was returned, so it was refused',
		});
	});

	test('the outer status wins over one in the body', () => {
		expect(ofError({ message: 'x', httpCode: '500', context: { data: { code: 404 } } })).toBe('unknown');
		expect(ofError({ message: 'x', context: { data: { code: 404 } }, cause: { cause: { response: { status: 500 } } } })).toBe('unknown');
		expect(ofError({ message: 'x', context: { data: { error: { code: 404 } } } })).toBe('permanent');
	});
});

describe('Error codes', () => {
	test.each<[string, string]>([
		['ECONNREFUSED', 'retryable'],
		['ENOTFOUND', 'retryable'],
		['EAI_AGAIN', 'retryable'],
		['EDNS', 'retryable'],
		['CERT_HAS_EXPIRED', 'retryable'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'retryable'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'retryable'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'retryable'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'retryable'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'retryable'],
		['RESOURCE_EXHAUSTED', 'retryable'],
		['ER_LOCK_DEADLOCK', 'retryable'],
		['MODEL_RATE_LIMIT', 'retryable'],
		['EAUTH', 'permanent'],
		['EENVELOPE', 'permanent'],
		['INVALID_ARGUMENT', 'permanent'],
		['NOT_FOUND', 'permanent'],
		['PERMISSION_DENIED', 'permanent'],
		['ER_NO_SUCH_TABLE', 'permanent'],
		['ETIMEDOUT', 'unknown'],
		['ESOCKETTIMEDOUT', 'unknown'],
		['ECONNABORTED', 'unknown'],
		['ECONNRESET', 'unknown'],
		['EPIPE', 'unknown'],
		['EHOSTUNREACH', 'unknown'],
		['UND_ERR_CONNECT_TIMEOUT', 'unknown'],
		['ECONNECTION', 'unknown'],
		['ESOCKET', 'unknown'],
		['ALREADY_EXISTS', 'unknown'],
		['UNAVAILABLE', 'unknown'],
		['DEADLINE_EXCEEDED', 'unknown'],
		['ER_DUP_ENTRY', 'unknown'],
		['EPROTO', 'unknown'],
		['SOMETHING_NEW', 'unknown'],
		['__proto__', 'unknown'],
		['constructor', 'unknown'],
	])('%s is %s', (code, word) => {
		expect(ofError({ message: 'x', code })).toBe(word);
		expect(ofError({ message: 'fetch failed', cause: { code } })).toBe(word);
		expect(ofError({ message: 'x', httpCode: code })).toBe(word);
		expect(ofError({ message: 'x', cause: { message: 'y', cause: { errorResponse: { code } } } })).toBe(word);
	});

	test('the outer of two known codes decides', () => {
		expect(ofError({ code: 'ECONNRESET', cause: { code: 'ECONNREFUSED' } })).toBe('unknown');
		expect(ofError({ code: 'WRAPPED', cause: { code: 'ECONNREFUSED' } })).toBe('retryable');
	});

	test.each<[string, unknown]>([
		['in the body kept by NodeApiError', { message: 'x', context: { data: { code: 'ECONNREFUSED' } } }],
		['in the body of the response', { message: 'x', response: { data: { error: { code: 'ENOTFOUND', message: 'connect ECONNREFUSED 1.2.3.4:1' } } } }],
		['in a message of the body', { message: 'x', response: { body: 'connect ECONNREFUSED 1.2.3.4:1' } }],
		['in a list in the body', { message: 'x', response: { data: [{ cause: { code: 'ECONNREFUSED' } }] } }],
	])('%s: the request arrived, whatever failed behind it', (_name, error) => {
		expect(ofError(error)).toBe('unknown');
	});

	test('in a body can be listed, and is what people see', () => {
		const error = { message: 'x', status: 402, response: { data: { error: { code: 'card_declined', message: 'no' } } } };
		expect(detectOutcome({ json: { error } }, { unknownCodes: ['card_declined'] })).toMatchObject({ word: 'unknown', error: { code: 'card_declined', httpStatus: 402 } });
		const response = { statusCode: 402, statusMessage: 'Payment Required', headers: {}, body: { error: { code: 'card_declined', message: 'no' } } };
		expect(detectOutcome({ json: response }, { unknownCodes: ['card_declined'] })).toMatchObject({ word: 'unknown', error: { code: 'card_declined' } });
	});

	test('gRPC numbers its codes', () => {
		const grpc = (code: number) => ofError({ code, details: 'x', metadata: {} });
		expect([3, 5, 8, 4, 6, 14].map(grpc)).toEqual(['permanent', 'permanent', 'retryable', 'unknown', 'unknown', 'unknown']);
		expect(ofError({ code: 3, message: 'a small number of another library' })).toBe('unknown');
	});
});

describe('Mail servers', () => {
	const mail = (responseCode: number, code: string, command: string) => ofError({ message: 'x', code, responseCode, response: `${responseCode} x`, command });
	test.each<[number, string, string, string]>([
		[550, 'EENVELOPE', 'RCPT TO', 'permanent'],
		[535, 'EAUTH', 'AUTH PLAIN', 'permanent'],
		[554, 'EMESSAGE', 'DATA', 'permanent'],
		[450, 'EENVELOPE', 'RCPT TO', 'retryable'],
		[421, 'ECONNECTION', 'CONN', 'retryable'],
		[451, 'EMESSAGE', 'DATA', 'retryable'],
		[454, 'EAUTH', 'AUTH PLAIN', 'retryable'],
	])('%d %s at %s is %s', (reply, code, command, word) => {
		expect(mail(reply, code, command)).toBe(word);
	});

	test.each<[string, string]>([
		["Can't send mail - all recipients were rejected: 550 5.1.1 no such user", 'permanent'],
		['Mail command failed: 451 4.3.0 try again', 'retryable'],
		['Invalid login: 535 5.7.8 Error', 'permanent'],
		['Message failed: 452 4.2.2 full', 'retryable'],
		['Connection closed unexpectedly', 'unknown'],
		['Greeting never received', 'unknown'],
	])('Send Email says only "%s"', (error, word) => {
		expect(ofError(error)).toBe(word);
	});

	test('a connection that never came about, as nodemailer wraps it', () => {
		expect(ofError({ message: 'connect ECONNREFUSED 127.0.0.1:25', code: 'ESOCKET', command: 'CONN', errno: -111, syscall: 'connect' })).toBe('retryable');
	});

	test('responseCode of another library is no reply of a mail server', () => {
		expect(ofError({ message: 'x', responseCode: 550 })).toBe('unknown');
	});
});

describe('Databases', () => {
	const sql = (code: string) => ofError({ message: 'x', severity: 'ERROR', routine: 'exec_stmt', code });
	test.each<[string, string]>([
		['23505', 'unknown'], ['23503', 'permanent'], ['23502', 'permanent'], ['23514', 'permanent'], ['22P02', 'permanent'],
		['42P01', 'permanent'], ['42601', 'permanent'], ['28P01', 'permanent'], ['3D000', 'permanent'], ['25006', 'permanent'],
		['40001', 'retryable'], ['40P01', 'retryable'], ['40003', 'unknown'], ['08001', 'retryable'], ['08006', 'unknown'],
		['08003', 'unknown'], ['53300', 'retryable'], ['57P03', 'retryable'], ['55P03', 'retryable'], ['57014', 'unknown'],
		['57P01', 'unknown'], ['53100', 'unknown'], ['XX000', 'unknown'],
	])('SQLSTATE %s is %s', (code, word) => {
		expect(sql(code)).toBe(word);
	});

	test('five digits are an SQLSTATE of databases only', () => {
		expect(ofError({ message: 'Twilio', code: '21211' })).toBe('unknown');
		expect(ofError({ message: 'Twilio', code: 21211, status: 400 })).toBe('permanent');
	});

	test("n8n's database nodes keep the message beside an error that lost it", () => {
		expect(wordOf({ message: 'connect ECONNREFUSED 127.0.0.1:5432', error: { name: 'NodeOperationError', level: 'error' } })).toBe('retryable');
		expect(wordOf({ error: { name: 'NodeOperationError', messages: ['deadlock detected'], description: 'Process 1 waits' } })).toBe('retryable');
		expect(wordOf({ error: { messages: ['could not serialize access due to concurrent update'] } })).toBe('retryable');
		expect(wordOf({ error: { messages: ['duplicate key value violates unique constraint "x"'] } })).toBe('unknown');
	});
});

describe('A message alone', () => {
	test.each<[string, string]>([
		['connect ECONNREFUSED 127.0.0.1:443', 'retryable'],
		['Error: getaddrinfo ENOTFOUND api.example.test', 'retryable'],
		['request to http://x failed, reason: connect ECONNREFUSED 127.0.0.1:1', 'retryable'],
		['connect EHOSTUNREACH 10.0.0.1:443', 'retryable'],
		['connect ETIMEDOUT 10.0.0.1:443', 'unknown'],
		['read ECONNRESET', 'unknown'],
		['self-signed certificate in certificate chain', 'retryable'],
		['The service refused the connection - perhaps it is offline', 'unknown'],
		['FetchError: request to http://x failed, reason: getaddrinfo EAI_AGAIN x', 'retryable'],
		['AxiosError: Request failed with status code 404', 'permanent'],
		['FetchError: request to https://x failed, reason: certificate has expired', 'retryable'],
		['Charged. Their certificate has expired', 'unknown'],
		['Charged. Message failed: 550 no such user', 'unknown'],
		['Upstream: connect ECONNREFUSED 10.0.0.1:80', 'unknown'],
		['500 - connect ECONNREFUSED 10.0.0.1:80', 'unknown'],
		['The service is receiving too many requests from you', 'retryable'],
		['The resource you are requesting could not be found', 'permanent'],
		['Your request is invalid or could not be processed by the service', 'unknown'],
		['Request failed with status code 422', 'permanent'],
		['Request failed with status code 500', 'unknown'],
		['After the charge: Request failed with status code 422', 'unknown'],
		['We got ECONNREFUSED once, then charged', 'unknown'],
		['Charged, but the mail could not connect ECONNREFUSED', 'unknown'],
		['card declined', 'unknown'],
		['deadlock detected', 'retryable'],
	])('"%s" is %s', (text, word) => {
		expect(ofError(text)).toBe(word);
		expect(ofError({ message: text, name: 'NodeOperationError' })).toBe(word);
		expect(wordOf({ error: 'card declined' }, {}, { message: text })).toBe(word);
	});
});

describe('Anything with an error that nobody recognises is unknown', () => {
	const circle: Record<string, unknown> = {};
	circle.cause = circle;
	const broken = new Proxy({}, { get() { throw new Error('no'); } });
	test.each<[string, unknown]>([
		['an Error that became JSON', {}],
		['true', true],
		['a number', 7],
		['an empty message', { message: '' }],
		['a list', [{ message: 'x' }]],
		['a circle', circle],
		['an object that throws', { cause: broken }],
		['a status that is a word', { status: 'failed', message: 'x' }],
	])('%s', (_name, error) => {
		const detected = detectOutcome({ json: { error } });
		expect(detected.word).toBe('unknown');
		expect(detected.error?.message).toEqual(expect.any(String));
		expect(detected.evidence).toMatch(/^[A-Z].*[^.]$/);
	});

	test('an error that refers to itself everywhere is read once', () => {
		let reads = 0;
		const error: object = new Proxy({}, { get: (_target, name) => { reads += 1; return ['message', 'code', 'status'].includes(String(name)) ? undefined : error; } });
		expect(ofError(error)).toBe('unknown');
		expect(reads).toBeLessThan(100);
	});

	test("the first of a list of errors, as Google's APIs give it", () => {
		expect(ofError({ errors: [], error: [{ code: 404, message: 'x' }] })).toBe('permanent');
	});
});

describe('Options', () => {
	test('destination honours the key: unknown may be retried, and nothing else changes', () => {
		const options = { destinationHonoursKey: true };
		expect(ofError({ status: 500 }, options)).toBe('unknown_retryable');
		expect(ofError('something', options)).toBe('unknown_retryable');
		expect(ofError({ status: 429 }, options)).toBe('retryable');
		expect(ofError({ status: 422 }, options)).toBe('permanent');
		expect(wordOf({ id: 1 }, options)).toBe('success');
	});

	test.each<[string, unknown, DetectionOptions, string]>([
		['a status', { status: 503 }, { retryableCodes: ['503'] }, 'retryable'],
		['another status', { status: 500 }, { retryableCodes: ['503'] }, 'unknown'],
		['a class of statuses', { status: 500 }, { retryableCodes: ['5xx'] }, 'retryable'],
		['a code, in any letter case', { status: 402, code: 'card_declined' }, { unknownCodes: ['CARD_DECLINED'] }, 'unknown'],
		['a code inside', { status: 500, cause: { code: 'LOCK_TIMEOUT' } }, { retryableCodes: [' lock_timeout '] }, 'retryable'],
		['a reply of a mail server', { code: 'EMESSAGE', responseCode: 554 }, { retryableCodes: ['554'] }, 'retryable'],
		['unknown wins', { status: 409 }, { unknownCodes: ['409'], permanentCodes: ['409'], retryableCodes: ['409'] }, 'unknown'],
		['permanent wins over retryable', { status: 409 }, { permanentCodes: ['409'], retryableCodes: ['409'] }, 'permanent'],
		['empty lists', { status: 404 }, { unknownCodes: [], permanentCodes: [], retryableCodes: [''] }, 'permanent'],
	])('%s', (_name, error, options, word) => {
		expect(ofError(error, options)).toBe(word);
	});

	test('a listed 2xx of a full response is no success', () => {
		const accepted = { statusCode: 202, headers: {}, body: {}, statusMessage: 'Accepted' };
		expect(wordOf(accepted)).toBe('success');
		expect(wordOf(accepted, { unknownCodes: ['202'] })).toBe('unknown');
	});

	test('a listed unknown is retryable too when the destination honours the key', () => {
		expect(ofError({ status: 404 }, { unknownCodes: ['404'], destinationHonoursKey: true })).toBe('unknown_retryable');
	});
});

test('a message of the item is the error\'s only when the error has none', () => {
	const json = { message: 'connect ECONNREFUSED 127.0.0.1:1', error: { message: 'card declined' } };
	expect(detectOutcome({ json })).toMatchObject({ word: 'unknown', error: { message: 'card declined' } });
});

test("n8n's own error on the item says more than the message in its json", () => {
	const error = Object.assign(new Error('Bad request'), { httpCode: '409' });
	const detected = detectOutcome({ json: { error: 'Bad request - please check your parameters' }, error });
	expect(detected).toMatchObject({ word: 'unknown', error: { httpStatus: 409, message: 'Bad request' } });
});
