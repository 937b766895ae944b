/** The ledger without n8n, for scripts: open a store, claim, seal, look up. */
export * from './core/commands';
export * from './core/errors';
export * from './core/feed';
export * from './core/record';
export * from './core/settings';
export * from './core/states';
export * from './core/store';
export { guardedClaim } from './core/claimGuard';
export type { GuardedAnswer } from './core/claimGuard';
export { withLedger } from './stores/ledgerRegistry';
export { openStore } from './stores/openStore';
