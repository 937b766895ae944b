-- Purpose: remove records that are over. Safe at any time, by anyone: what another session holds is
--   skipped, and everything else is as good as absent already.
-- Parameters: $1 how many at most.
-- Returns: one row: removed.
-- statement_timestamp(), not clock_timestamp(): it stands still, so that the index on expires_at serves.
WITH gone AS (
	DELETE FROM {{records}}
	WHERE key = ANY (ARRAY(
		SELECT r.key
		FROM {{records}} AS r
		WHERE r.expires_at <= date_trunc('milliseconds', statement_timestamp())
			AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
		ORDER BY r.expires_at
		LIMIT $1::bigint
		FOR UPDATE SKIP LOCKED
	))
	RETURNING 1
)
SELECT count(*) AS removed FROM gone
