/**
 * The ledger's executable specification: pure functions (record, command, now) → answer with the
 * record to store. The memory store runs them as they are, SQLite inside a write transaction;
 * PostgreSQL and Redis restate them in one statement or script, tested against these cell by cell.
 */
export { decideClaim } from './claim';
export { decideSeal } from './seal';
export { decideExtend, decideRelease } from './lease';
export { decideResolve } from './resolve';
export { decideExpire } from './expire';
export { noteSharedExternalId } from './sharedExternalId';
export { present } from './change';
