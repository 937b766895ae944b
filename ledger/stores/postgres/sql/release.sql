-- Purpose: give claims back whose effect was certainly not attempted (transitions/lease.ts).
-- Parameters: arrays of equal length, keys distinct: $1 keys, $2 tokens, $3 attempts, $4 rerun,
--   $5 execution IDs; and $6 how long to wait for a lock (ms).
-- Returns: one row per key: key, outcome, at (ms), the record afterwards as JSON, null when there is none.
-- Rows are locked in one order, then decided by a clock read after the last lock (see seal.sql).
WITH input AS MATERIALIZED (
	SELECT i.*
	FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::text[]) AS i (key, token, attempt, rerun, execution_id)
	CROSS JOIN (SELECT set_config('lock_timeout', $6::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
),
locked AS MATERIALIZED (
	SELECT r.* FROM {{records}} AS r WHERE r.key = ANY (ARRAY(SELECT key FROM input)) ORDER BY r.key FOR UPDATE
),
clock AS MATERIALIZED (
	SELECT CASE WHEN count(*) >= 0 THEN date_trunc('milliseconds', clock_timestamp()) END AS now FROM locked
),
decided AS MATERIALIZED (
	SELECT
		i.key, i.execution_id, c.now, d.did,
		d.did IN ('late_success', 'effect_rerun', 'unknown_earlier') AS review,
		CASE WHEN d.did IN ('stale', 'refused', 'again', 'already_sealed') THEN row_to_json(r) END AS unchanged
	FROM input AS i
	CROSS JOIN clock AS c
	LEFT JOIN locked AS r ON r.key = i.key AND NOT (
		coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
	)
	CROSS JOIN LATERAL (
		SELECT r.state = 'processing' OR coalesce(r.reason = 'lease_expired', false) AS held OFFSET 0
	) AS f
	CROSS JOIN LATERAL (
		SELECT CASE
			WHEN r.key IS NULL THEN 'absent'
			WHEN r.token <> i.token OR r.attempt <> i.attempt THEN 'stale'
			-- an overtaken attempt succeeded while this one was held: nobody goes on as if it hadn't
			WHEN r.late_successes <> '[]' AND f.held THEN 'late_success'
			WHEN i.rerun AND (f.held OR coalesce(r.reason = 'unknown', false)) THEN 'effect_rerun'
			WHEN NOT f.held AND r.state = 'needs_review' THEN 'refused'
			-- said before, and the answer was lost
			WHEN NOT f.held AND coalesce(r.sealed_word = 'released', false) THEN 'again'
			WHEN NOT f.held THEN 'already_sealed'
			WHEN r.unknown_earlier THEN 'unknown_earlier'
			WHEN r.attempt = 1 THEN 'removed'
			ELSE 'released' END AS did
		OFFSET 0
	) AS d
),
updated AS (
	UPDATE {{records}} AS r SET
		revision = r.revision + 1,
		state = CASE WHEN d.review THEN 'needs_review' ELSE 'retryable_failed' END,
		reason = d.did,
		lease_expires_at = NULL,
		retry_at = CASE WHEN NOT d.review THEN d.now END,
		-- a release leaves at least one more attempt
		max_attempts = CASE WHEN d.review THEN r.max_attempts ELSE greatest(r.max_attempts, r.attempt + 1) END,
		sealed_word = CASE WHEN d.review THEN r.sealed_word ELSE 'released' END,
		decided_by = NULL,
		updated_at = d.now,
		completed_at = NULL,
		expires_at = CASE WHEN r.ephemeral THEN r.expires_at END,
		history = (
			r.history || ARRAY[json_build_object(
				'at', (extract(epoch FROM d.now) * 1000)::bigint, 'from', r.state,
				'to', CASE WHEN d.review THEN 'needs_review' ELSE 'retryable_failed' END,
				'attempt', r.attempt, 'executionId', d.execution_id, 'note', d.did, 'kept', NULL
			)]
		)[greatest(1, cardinality(r.history) - 18):]
	FROM decided AS d
	WHERE r.key = d.key AND (d.review OR d.did = 'released')
	RETURNING r.key, row_to_json(r) AS record
),
removed AS (
	DELETE FROM {{records}} AS r USING decided AS d WHERE r.key = d.key AND d.did = 'removed'
)
SELECT
	d.key,
	CASE WHEN d.review THEN 'needs_review' WHEN d.did IN ('absent', 'removed', 'again') THEN 'released' ELSE d.did END AS outcome,
	(extract(epoch FROM d.now) * 1000)::bigint AS at,
	coalesce(u.record, d.unchanged) AS record
FROM decided AS d
LEFT JOIN updated AS u ON u.key = d.key
