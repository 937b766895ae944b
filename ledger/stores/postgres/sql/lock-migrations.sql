-- Purpose: one process at a time changes the tables of a schema; the others wait and then find it done.
--   Until the end of the transaction, so that nothing stays on a pooled session.
-- Parameters: $1 schema, $2 how long to wait (ms).
-- Returns: nothing of use.
SELECT set_config('lock_timeout', $2::text, true), pg_advisory_xact_lock(hashtextextended('n8n-nodes-idempotency:' || $1::text, 0))
