export { EngineRun } from './EngineRun';
export { failed, httpError, networkError } from './nodes/effect';
export type { EffectAnswer, EffectCall, EffectScript } from './nodes/effect';
export type { CodeScript } from './nodes/code';
export { PolledNode } from './polling';
export { runWorkflow } from './runWorkflow';
export type { RunOptions } from './runWorkflow';
export { chain, node, withTools, workflow } from './workflowJson';
export type { NodeSettings, Wire, WorkflowJson } from './workflowJson';

/** Full type names, as n8n knows them when the package is installed. */
export const CLAIM = 'n8n-nodes-idempotency.idempotencyClaim';
export const SEAL = 'n8n-nodes-idempotency.idempotencySeal';
export const LOOKUP = 'n8n-nodes-idempotency.idempotencyLookup';
export const TRIGGER = 'n8n-nodes-idempotency.idempotencyLedgerTrigger';
