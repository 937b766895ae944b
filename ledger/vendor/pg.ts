/**
 * The one file that names pg. The build bundles it in place, so the package needs no dependencies.
 * Load it lazily: a user of another store shouldn't pay for it.
 */
export { Client, DatabaseError, Pool, types } from 'pg';
export type { ClientConfig, PoolClient, PoolConfig, QueryResult } from 'pg';
