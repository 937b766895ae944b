-- Purpose: remove given records that are over, so that their keys can be claimed anew. Nothing is lost:
--   such a record is as good as absent for everybody.
-- Parameters: $1 keys; $2 how long to wait for a lock (ms).
-- Returns: nothing.
-- After a wait for a lock the condition is checked on the new version: what was claimed anew meanwhile stays.
DELETE FROM {{records}} AS r
USING (SELECT set_config('lock_timeout', $2::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
WHERE r.key = ANY ($1::text[])
	AND r.expires_at <= date_trunc('milliseconds', clock_timestamp())
	AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
