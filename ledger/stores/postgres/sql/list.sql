-- Purpose: read a page of records, oldest first by creation, then by key in order of bytes.
-- Parameters (null = no filter): $1 states, $2 operation, $3 scope, $4 external ID, $5 correlation ID,
--   $6 stuck (only processing with the lease over), $7 unchanged for (ms), $8 and $9 creation (epoch ms)
--   and key of the last record before this page, $10 number of rows.
-- Returns: at least one row: at (ms), a record as JSON or null. Records that are over are left out.
-- The planner sees the values, so a filter that isn't given costs nothing and each index can serve.
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now)
SELECT (extract(epoch FROM c.now) * 1000)::bigint AS at, page.record
FROM clock AS c
LEFT JOIN LATERAL (
	SELECT r.created_at, r.key, row_to_json(r) AS record
	FROM {{records}} AS r
	WHERE NOT (coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed')))
		AND ($1::text[] IS NULL OR r.state = ANY ($1::text[]))
		AND ($2::text IS NULL OR r.operation = $2::text)
		AND ($3::text IS NULL OR r.scope = $3::text)
		AND ($4::text IS NULL OR left(r.external_id, 200) = left($4::text, 200) AND r.external_id = $4::text)
		AND ($5::text IS NULL OR left(r.correlation_id, 200) = left($5::text, 200) AND r.correlation_id = $5::text)
		AND (NOT $6::boolean OR r.state = 'processing' AND coalesce(c.now >= r.lease_expires_at, true))
		AND ($7::bigint IS NULL OR c.now - r.updated_at >= $7::bigint * interval '1 millisecond')
		AND ($8::bigint IS NULL
			OR (r.created_at, r.key) > (timestamptz 'epoch' + $8::bigint * interval '1 millisecond', $9::text COLLATE "C"))
	ORDER BY r.created_at, r.key
	LIMIT $10::bigint
) AS page ON true
ORDER BY page.created_at, page.key
