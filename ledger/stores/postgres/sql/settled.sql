-- Purpose: up to when the feeds are complete. Run on its own, before changes.sql: what committed in
--   between is then seen by the younger snapshot.
-- Parameters: $1 schema, $2 table of records.
-- Returns: one row: settled (ms).
-- Two transactions may commit in another order than they read their clocks in. But none reads it before it
-- began; and from before that until its changes can be seen, it holds a lock on the table, which everybody
-- may look up. So what is still to come is no older than the oldest transaction with such a lock, and not
-- older than this statement (whose beginning counts: a transaction may come after the locks were read).
-- When another role's transaction began is hidden in pg_stat_activity: then five minutes are assumed, far
-- more than one of our statements takes.
SELECT floor(extract(epoch FROM least(
	statement_timestamp(),
	min(coalesce(a.xact_start, statement_timestamp() - interval '5 minutes'))
)) * 1000)::bigint AS settled
FROM pg_locks AS l
LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
WHERE l.locktype = 'relation'
	AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
	AND l.relation = (
		SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE n.nspname = $1::text AND c.relname = $2::text
	)
	AND l.mode = 'RowExclusiveLock'
	AND l.pid <> pg_backend_pid()
