/**
 * The one file that names ioredis. The build bundles it in place, so the package needs no
 * dependencies. Load it lazily: a user of another store shouldn't pay for it.
 */
export { Cluster, Redis, ReplyError } from 'ioredis';
export type { ClusterOptions, RedisOptions } from 'ioredis';
