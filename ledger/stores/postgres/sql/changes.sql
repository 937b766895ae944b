-- Purpose: read on in a feed (core/feed.ts), in the order of its time, then by key in order of bytes.
-- Parameters (null = no filter): $1 feed, $2 operation, $3 scope, $4 due for (ms), $5 and $6 time (epoch
--   ms) and key to go on after, $7 number of rows.
-- Returns: at least one row: at (ms), a record as JSON or null.
-- The planner sees $1: of the branches only one is left, with an index in the feed's own order.
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now)
SELECT (extract(epoch FROM c.now) * 1000)::bigint AS at, page.record
FROM clock AS c
LEFT JOIN LATERAL (
	(
		SELECT r.updated_at AS place, r.key, row_to_json(r) AS record
		FROM {{records}} AS r
		WHERE $1::text = 'review' AND r.state = 'needs_review'
			AND NOT r.ephemeral
			AND ($2::text IS NULL OR r.operation = $2::text)
			AND ($3::text IS NULL OR r.scope = $3::text)
			AND ($5::bigint IS NULL
				OR (r.updated_at, r.key) > (timestamptz 'epoch' + $5::bigint * interval '1 millisecond', $6::text COLLATE "C"))
		ORDER BY r.updated_at, r.key
		LIMIT $7::bigint
	)
	UNION ALL
	(
		SELECT r.updated_at AS place, r.key, row_to_json(r) AS record
		FROM {{records}} AS r
		WHERE $1::text = 'failed' AND r.state = 'permanent_failed' AND NOT coalesce(c.now >= r.expires_at, false)
			AND NOT r.ephemeral
			AND ($2::text IS NULL OR r.operation = $2::text)
			AND ($3::text IS NULL OR r.scope = $3::text)
			AND ($5::bigint IS NULL
				OR (r.updated_at, r.key) > (timestamptz 'epoch' + $5::bigint * interval '1 millisecond', $6::text COLLATE "C"))
		ORDER BY r.updated_at, r.key
		LIMIT $7::bigint
	)
	UNION ALL
	(
		SELECT r.lease_expires_at AS place, r.key, row_to_json(r) AS record
		FROM {{records}} AS r
		WHERE $1::text = 'lapsed' AND r.state = 'processing'
			AND r.policy = 'take_over' AND r.attempt < r.max_attempts AND r.late_successes = '[]'
			AND r.lease_expires_at <= c.now - $4::bigint * interval '1 millisecond'
			AND NOT r.ephemeral
			AND ($2::text IS NULL OR r.operation = $2::text)
			AND ($3::text IS NULL OR r.scope = $3::text)
			AND ($5::bigint IS NULL
				OR (r.lease_expires_at, r.key) > (timestamptz 'epoch' + $5::bigint * interval '1 millisecond', $6::text COLLATE "C"))
		ORDER BY r.lease_expires_at, r.key
		LIMIT $7::bigint
	)
	UNION ALL
	(
		SELECT r.retry_at AS place, r.key, row_to_json(r) AS record
		FROM {{records}} AS r
		WHERE $1::text = 'overdue' AND r.state = 'retryable_failed'
			AND r.retry_at <= c.now - $4::bigint * interval '1 millisecond'
			AND NOT r.ephemeral
			AND ($2::text IS NULL OR r.operation = $2::text)
			AND ($3::text IS NULL OR r.scope = $3::text)
			AND ($5::bigint IS NULL
				OR (r.retry_at, r.key) > (timestamptz 'epoch' + $5::bigint * interval '1 millisecond', $6::text COLLATE "C"))
		ORDER BY r.retry_at, r.key
		LIMIT $7::bigint
	)
) AS page ON true
ORDER BY page.place, page.key
