-- Purpose: count records by operation and state.
-- Parameters: none.
-- Returns: at least one row: at (ms), and per operation its counts; operation null when there is no record.
WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now)
SELECT
	(extract(epoch FROM c.now) * 1000)::bigint AS at,
	r.operation,
	count(*) FILTER (WHERE r.state = 'processing') AS processing,
	count(*) FILTER (WHERE r.state = 'succeeded') AS succeeded,
	count(*) FILTER (WHERE r.state = 'retryable_failed') AS retryable_failed,
	count(*) FILTER (WHERE r.state = 'permanent_failed') AS permanent_failed,
	count(*) FILTER (WHERE r.state = 'needs_review') AS needs_review,
	sum(r.duplicates) AS duplicates,
	sum(r.conflicts) AS conflicts,
	sum(r.takeovers) AS takeovers,
	sum(r.stale_seals) AS stale_seals,
	(extract(epoch FROM max(c.now - r.updated_at) FILTER (WHERE r.state = 'processing')) * 1000)::bigint AS oldest_processing_ms,
	(extract(epoch FROM max(c.now - r.updated_at) FILTER (WHERE r.state = 'needs_review')) * 1000)::bigint AS oldest_review_ms,
	count(*) FILTER (WHERE r.state = 'processing' AND coalesce(c.now >= r.lease_expires_at, true)) AS stuck
FROM clock AS c
LEFT JOIN {{records}} AS r ON NOT (
	coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
)
GROUP BY c.now, r.operation
