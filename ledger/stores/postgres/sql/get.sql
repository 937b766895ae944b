-- Purpose: read records by key.
-- Parameters: $1 keys.
-- Returns: at least one row: at (ms), a record as JSON or null. Records that are over are left out.
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now)
SELECT (extract(epoch FROM c.now) * 1000)::bigint AS at, row_to_json(r) AS record
FROM clock AS c
LEFT JOIN {{records}} AS r ON r.key = ANY ($1::text[]) AND NOT (
	coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
)
