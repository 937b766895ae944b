import { ExecutionLifecycleHooks, type ExternalSecretsProxy } from 'n8n-core';
import type { IWorkflowBase, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';

import { GivenCredentials, type CredentialMap } from './credentials';
import type { WorkflowJson } from './workflowJson';

/** What n8n's server hands to the engine with every execution; only what an engine without a server can use. */
export function additionalDataOf(
	workflow: WorkflowJson,
	mode: WorkflowExecuteMode,
	executionId: string | undefined,
	credentials: CredentialMap,
	executeWorkflow: IWorkflowExecuteAdditionalData['executeWorkflow'],
): IWorkflowExecuteAdditionalData {
	const url = 'http://engine.test/';
	return {
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		credentialsHelper: new GivenCredentials(credentials),
		// Without an id of its own the hooks still want one; no node sees it.
		hooks: new ExecutionLifecycleHooks(mode, executionId ?? 'none', workflow as unknown as IWorkflowBase),
		externalSecretsProxy: { hasProvider: () => false } as unknown as ExternalSecretsProxy,
		executeWorkflow,
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		logAiEvent: () => {},
		startRunnerTask: async () => {
			throw new Error('There are no task runners here; use test.code');
		},
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
	};
}
