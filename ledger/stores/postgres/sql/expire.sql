-- Purpose: move claims whose lease ran out, and that nobody may take over, to review (transitions/expire.ts).
-- Parameters: $1 how many at most, $2 grace (ms), $3 operation, $4 scope (null = any); and $5 how long to
--   wait for a lock (ms).
-- Returns: one row for each record moved: the record afterwards as JSON.
-- What another session holds is being sealed or claimed right now: skipped, so that nobody waits and
-- two sweeps at once share the work. A row that changed before it was locked is looked at again by
-- PostgreSQL. statement_timestamp() stands still, so that the index serves; the clock comes after it.
WITH locked AS MATERIALIZED (
	SELECT r.*
	FROM {{records}} AS r
	CROSS JOIN (SELECT set_config('lock_timeout', $5::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
	WHERE r.state = 'processing'
		AND NOT r.ephemeral
		AND r.lease_expires_at <= date_trunc('milliseconds', statement_timestamp()) - $2::bigint * interval '1 millisecond'
		AND NOT (r.policy = 'take_over' AND r.attempt < r.max_attempts AND r.late_successes = '[]')
		AND ($3::text IS NULL OR r.operation = $3::text)
		AND ($4::text IS NULL OR r.scope = $4::text)
	ORDER BY r.lease_expires_at, r.key
	LIMIT $1::bigint
	FOR UPDATE OF r SKIP LOCKED
),
clock AS MATERIALIZED (
	SELECT CASE WHEN count(*) >= 0 THEN date_trunc('milliseconds', clock_timestamp()) END AS now FROM locked
)
UPDATE {{records}} AS r SET
	revision = r.revision + 1,
	state = 'needs_review',
	reason = d.reason,
	lease_expires_at = NULL,
	retry_at = NULL,
	decided_by = NULL,
	updated_at = c.now,
	completed_at = NULL,
	expires_at = NULL,
	history = (
		r.history || ARRAY[json_build_object(
			'at', (extract(epoch FROM c.now) * 1000)::bigint, 'from', r.state, 'to', 'needs_review',
			'attempt', r.attempt, 'executionId', NULL, 'note', d.reason, 'kept', NULL
		)]
	)[greatest(1, cardinality(r.history) - 18):]
FROM locked AS l
CROSS JOIN clock AS c
-- an overtaken attempt succeeded while this one was held
CROSS JOIN LATERAL (SELECT CASE WHEN l.late_successes <> '[]' THEN 'late_success' ELSE 'lease_expired' END AS reason) AS d
WHERE r.key = l.key
RETURNING row_to_json(r) AS record
