-- Purpose: prolong leases, never shorten one (transitions/lease.ts).
-- Parameters: arrays of equal length, keys distinct: $1 keys, $2 tokens, $3 attempts, $4 extensions (ms);
--   and $5 how long to wait for a lock (ms).
-- Returns: one row per key: key, outcome, at (ms), the record afterwards as JSON, null when there is none.
-- Rows are locked in one order, then decided by a clock read after the last lock (see seal.sql).
WITH input AS MATERIALIZED (
	SELECT i.*
	FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS i (key, token, attempt, extend_ms)
	CROSS JOIN (SELECT set_config('lock_timeout', $5::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
),
locked AS MATERIALIZED (
	SELECT r.* FROM {{records}} AS r WHERE r.key = ANY (ARRAY(SELECT key FROM input)) ORDER BY r.key FOR UPDATE
),
clock AS MATERIALIZED (
	SELECT CASE WHEN count(*) >= 0 THEN date_trunc('milliseconds', clock_timestamp()) END AS now FROM locked
),
decided AS MATERIALIZED (
	SELECT
		i.key, c.now, d.did,
		greatest(r.lease_expires_at, c.now + i.extend_ms * interval '1 millisecond') AS lease_expires_at,
		CASE WHEN d.did NOT IN ('absent', 'extended', 'late_success') THEN row_to_json(r) END AS unchanged
	FROM input AS i
	CROSS JOIN clock AS c
	LEFT JOIN locked AS r ON r.key = i.key AND NOT (
		coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
	)
	CROSS JOIN LATERAL (
		SELECT CASE
			WHEN r.key IS NULL THEN 'absent'
			WHEN r.token <> i.token OR r.attempt <> i.attempt THEN 'stale'
			-- an overtaken attempt succeeded while this one was held: nobody goes on as if it hadn't
			WHEN r.late_successes <> '[]' AND (r.state = 'processing' OR coalesce(r.reason = 'lease_expired', false)) THEN 'late_success'
			WHEN r.state = 'needs_review' THEN 'review'
			WHEN r.state <> 'processing' THEN 'already_sealed'
			ELSE 'extended' END AS did
		OFFSET 0
	) AS d
),
updated AS (
	UPDATE {{records}} AS r SET
		revision = r.revision + 1,
		state = CASE d.did WHEN 'extended' THEN r.state ELSE 'needs_review' END,
		reason = CASE d.did WHEN 'extended' THEN r.reason ELSE d.did END,
		lease_expires_at = CASE d.did WHEN 'extended' THEN d.lease_expires_at END,
		retry_at = CASE d.did WHEN 'extended' THEN r.retry_at END,
		decided_by = CASE d.did WHEN 'extended' THEN r.decided_by END,
		updated_at = d.now,
		completed_at = CASE d.did WHEN 'extended' THEN r.completed_at END,
		expires_at = CASE WHEN d.did = 'extended' OR r.ephemeral THEN r.expires_at END,
		history = CASE d.did WHEN 'extended' THEN r.history ELSE (
			r.history || ARRAY[json_build_object(
				'at', (extract(epoch FROM d.now) * 1000)::bigint, 'from', r.state, 'to', 'needs_review',
				'attempt', r.attempt, 'executionId', NULL, 'note', d.did, 'kept', NULL
			)]
		)[greatest(1, cardinality(r.history) - 18):] END
	FROM decided AS d
	WHERE r.key = d.key AND d.did IN ('extended', 'late_success')
	RETURNING r.key, row_to_json(r) AS record
)
SELECT
	d.key,
	CASE d.did WHEN 'absent' THEN 'not_found' WHEN 'late_success' THEN 'needs_review' WHEN 'review' THEN 'needs_review' ELSE d.did END AS outcome,
	(extract(epoch FROM d.now) * 1000)::bigint AS at,
	coalesce(u.record, d.unchanged) AS record
FROM decided AS d
LEFT JOIN updated AS u ON u.key = d.key
