import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';

/**
 * @typedef {{email: string, firstName: string, lastName: string, password: string}} Owner
 * @typedef {{id: string, name: string, type: string}} Credential
 * @typedef {{status: 'OK' | 'Error', message: string}} CredentialTest
 * @typedef {{id: string, name: string, versionId: string, active?: boolean, nodes: any[], connections: any}} Workflow
 * @typedef {{id: string, status: string, mode: string, workflowId: string, startedAt: string, finished?: boolean}} Execution
 * @typedef {{status: number, headers: Headers, body: any, text: string}} Answer
 */

/** An account for n8n instances that only this machine can reach. */
export const LOCAL_OWNER = {
	email: 'owner@example.com',
	firstName: 'Local',
	lastName: 'Owner',
	password: 'Idempotency1',
};

/** n8n's answer was not a success. */
export class N8nRequestError extends Error {
	/**
	 * @param {string} request
	 * @param {number} status
	 * @param {string} text
	 */
	constructor(request, status, text) {
		super(`${request} answered ${status}: ${text.slice(0, 500)}`);
		this.name = 'N8nRequestError';
		this.status = status;
	}
}

/** What the editor does, over the same HTTP interface, with the session cookie. */
export class N8nClient {
	/** @param {string} url of a running n8n */
	constructor(url) {
		this.url = url;
		this.cookie = '';
	}

	/**
	 * @param {string} method
	 * @param {string} path below the address, e.g. /rest/workflows
	 * @param {unknown} [body]
	 * @returns {Promise<any>} the answer's `data`
	 */
	async request(method, path, body) {
		const { status, headers, text, body: answer } = await this.call(method, path, body, { cookie: this.cookie });
		if (status >= 400) throw new N8nRequestError(`${method} ${path}`, status, text);
		const cookie = headers.getSetCookie().find((each) => each.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0];
		return answer?.data ?? answer;
	}

	/**
	 * Any address of this n8n, without throwing on an error status.
	 *
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body] sent as JSON
	 * @param {Record<string, string>} [headers]
	 * @returns {Promise<Answer>} `body` is the parsed JSON, or undefined
	 */
	async call(method, path, body, headers = {}) {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: fromJson(text) };
	}

	/**
	 * A production webhook of a published workflow.
	 *
	 * @param {string} path
	 * @param {unknown} [body]
	 * @param {{method?: string, headers?: Record<string, string>}} [options]
	 */
	async webhook(path, body, { method = 'POST', headers } = {}) {
		return await this.call(method, `/webhook/${path}`, body, headers);
	}

	// ---------------------------------------------------------------- account

	/**
	 * Sets the owner up on a new instance, logs in on a used one.
	 *
	 * @param {Owner} [owner]
	 */
	async ensureOwner(owner = LOCAL_OWNER) {
		const settings = await this.request('GET', '/rest/settings');
		if (settings.userManagement?.showSetupOnFirstLoad) return await this.request('POST', '/rest/owner/setup', owner);
		return await this.login(owner);
	}

	/** @param {{email: string, password: string}} account */
	async login({ email, password }) {
		return await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	// ------------------------------------------------------------ credentials

	/** @returns {Promise<Credential[]>} */
	async listCredentials() {
		return await this.request('GET', '/rest/credentials');
	}

	/**
	 * @param {{name: string, type: string, data: Record<string, unknown>}} credential
	 * @returns {Promise<Credential>}
	 */
	async createCredential(credential) {
		return await this.request('POST', '/rest/credentials', credential);
	}

	/**
	 * The Test button. Give an `id` to test a stored one.
	 *
	 * @param {{id?: string, name: string, type: string, data: Record<string, unknown>}} credentials
	 * @returns {Promise<CredentialTest>}
	 */
	async testCredential(credentials) {
		return await this.request('POST', '/rest/credentials/test', { credentials: { id: '', ...credentials } });
	}

	/**
	 * @param {string} id
	 * @param {{name: string, type: string, data: Record<string, unknown>}} credential
	 * @returns {Promise<Credential>}
	 */
	async updateCredential(id, credential) {
		return await this.request('PATCH', `/rest/credentials/${id}`, credential);
	}

	/** @param {string} id */
	async deleteCredential(id) {
		return await this.request('DELETE', `/rest/credentials/${id}`);
	}

	// -------------------------------------------------------------- workflows

	/** @returns {Promise<Workflow[]>} */
	async listWorkflows() {
		return await this.request('GET', '/rest/workflows');
	}

	/**
	 * @param {object} workflow as in an exported file
	 * @returns {Promise<Workflow>}
	 */
	async createWorkflow(workflow) {
		return await this.request('POST', '/rest/workflows', workflow);
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Workflow>}
	 */
	async getWorkflow(id) {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/**
	 * @param {string} id
	 * @param {object} changes
	 * @returns {Promise<Workflow>}
	 */
	async updateWorkflow(id, changes) {
		const { versionId } = await this.getWorkflow(id);
		return await this.request('PATCH', `/rest/workflows/${id}`, { versionId, ...changes });
	}

	/**
	 * Publishes the workflow's present version and waits until its triggers listen.
	 *
	 * @param {string} id
	 */
	async publishWorkflow(id) {
		const { versionId } = await this.getWorkflow(id);
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		await this.until(`workflow ${id} to be published`, async () => {
			const { status } = await this.request('GET', `/rest/workflows/${id}/publication-status`);
			return status === 'published';
		});
	}

	/** @param {string} id */
	async unpublishWorkflow(id) {
		await this.request('POST', `/rest/workflows/${id}/deactivate`);
	}

	/** @param {string} id */
	async deleteWorkflow(id) {
		await this.request('POST', `/rest/workflows/${id}/archive`);
		await this.request('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * The editor's Execute Workflow button.
	 *
	 * @param {string} id
	 * @param {object} [payload] e.g. {triggerToStartFrom: {name}} or {destinationNode: {nodeName, mode}}
	 * @returns {Promise<{executionId: string}>}
	 */
	async runWorkflow(id, payload = {}) {
		const workflowData = await this.getWorkflow(id);
		return await this.request('POST', `/rest/workflows/${id}/run`, { workflowData, ...payload });
	}

	// ------------------------------------------------------------- executions

	/**
	 * @param {string} workflowId
	 * @returns {Promise<Execution[]>} newest first, without data
	 */
	async listExecutions(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.request('GET', `/rest/executions?filter=${filter}&limit=100`);
		return results;
	}

	/**
	 * Waits until a workflow has this many ended executions; a webhook's answer comes before its
	 * execution is stored.
	 *
	 * @param {string} workflowId
	 * @param {number} count
	 * @param {number} [timeoutMs]
	 * @returns {Promise<Execution[]>} newest first, without data
	 */
	async waitForExecutions(workflowId, count, timeoutMs = 30_000) {
		/** @type {Execution[]} */
		let ended = [];
		const enough = async () => {
			ended = (await this.listExecutions(workflowId)).filter(({ status }) => !isRunning(status));
			return ended.length >= count;
		};
		await this.until(`${count} executions of workflow ${workflowId}`, enough, timeoutMs);
		return ended;
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Execution & {data: any}>} `data` is unflattened: data.resultData.runData[node][run]
	 */
	async getExecution(id) {
		const execution = await this.request('GET', `/rest/executions/${id}`);
		return { ...execution, data: typeof execution.data === 'string' ? parse(execution.data) : execution.data };
	}

	/**
	 * Waits until an execution is over (`waiting` counts as over: it may wait for days).
	 *
	 * @param {string} id
	 * @param {number} [timeoutMs]
	 */
	async waitForExecution(id, timeoutMs = 30_000) {
		let execution = await this.getExecution(id);
		const over = async () => {
			execution = await this.getExecution(id);
			return !isRunning(execution.status);
		};
		await this.until(`execution ${id} to end`, over, timeoutMs);
		return execution;
	}

	/**
	 * The Retry button.
	 *
	 * @param {string} id
	 * @param {{loadWorkflow?: boolean}} [options] true: with the workflow as it is now
	 * @returns {Promise<any>} the new execution
	 */
	async retryExecution(id, { loadWorkflow = false } = {}) {
		return await this.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow });
	}

	/** @param {string} id */
	async stopExecution(id) {
		return await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/**
	 * Polls until `condition` holds.
	 *
	 * @param {string} what for the error's text
	 * @param {() => Promise<boolean>} condition
	 * @param {number} [timeoutMs]
	 */
	async until(what, condition, timeoutMs = 30_000) {
		const deadline = Date.now() + timeoutMs;
		while (!(await condition())) {
			if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
			await sleep(100);
		}
	}
}

/** @param {string} status */
function isRunning(status) {
	return ['new', 'running', 'unknown'].includes(status);
}

/** @param {string} text */
function fromJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
