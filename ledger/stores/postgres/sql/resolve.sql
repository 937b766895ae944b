-- Purpose: a person's decisions, each on the revision and token looked at (transitions/resolve.ts).
-- Parameters: arrays of equal length, keys distinct: $1 keys, $2 tokens, $3 revisions, $4 decisions,
--   $5 force, $6 who, $7 why, $8 results (JSON), $9 external IDs, $10 accept a changed payload,
--   $11 execution IDs; and $12 how long to wait for a lock (ms).
-- Returns: one row per key: key, outcome, at (ms), the record afterwards as JSON, null when there is none.
-- Rows are locked in one order, then decided by a clock read after the last lock (see seal.sql).
WITH input AS MATERIALIZED (
	SELECT i.*
	FROM unnest(
		$1::text[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::text[],
		$10::boolean[], $11::text[]
	) AS i (
		key, token, revision, decision, force, who, why, result, external_id, accept_changed_payload, execution_id
	)
	CROSS JOIN (SELECT set_config('lock_timeout', $12::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
),
locked AS MATERIALIZED (
	SELECT r.* FROM {{records}} AS r WHERE r.key = ANY (ARRAY(SELECT key FROM input)) ORDER BY r.key FOR UPDATE
),
clock AS MATERIALIZED (
	SELECT CASE WHEN count(*) >= 0 THEN date_trunc('milliseconds', clock_timestamp()) END AS now FROM locked
),
decided AS MATERIALIZED (
	SELECT
		i.*, c.now, d.outcome, (extract(epoch FROM c.now) * 1000)::bigint AS now_ms,
		CASE i.decision WHEN 'succeeded' THEN 'succeeded' WHEN 'retry' THEN 'retryable_failed' ELSE 'permanent_failed' END AS state,
		CASE WHEN d.outcome NOT IN ('not_found', 'resolved') THEN row_to_json(r) END AS unchanged,
		-- what the decision takes off the record; json_object_agg, since stripping nulls would reach into the result
		CASE WHEN d.outcome = 'resolved' THEN (
			SELECT json_object_agg(k.name, k.value)
			FROM (VALUES
				('who', to_json(i.who)),
				('why', to_json(i.why)),
				('result', CASE WHEN i.decision <> 'succeeded' OR i.result IS NOT NULL THEN r.result END),
				('externalId', CASE WHEN i.decision <> 'succeeded' OR i.external_id IS NOT NULL THEN to_json(r.external_id) END),
				('lateSuccesses', CASE WHEN r.late_successes <> '[]' THEN r.late_successes::json END),
				('anomalies', CASE WHEN r.anomalies <> '[]' THEN r.anomalies::json END),
				('unknownEarlier', CASE WHEN r.unknown_earlier THEN to_json(true) END)
			) AS k (name, value)
			WHERE k.value IS NOT NULL
		) END AS kept
	FROM input AS i
	CROSS JOIN clock AS c
	LEFT JOIN locked AS r ON r.key = i.key AND NOT (
		coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
	)
	CROSS JOIN LATERAL (
		SELECT CASE
			WHEN r.key IS NULL THEN 'not_found'
			WHEN r.revision <> i.revision OR r.token <> i.token THEN 'stale_decision'
			WHEN i.force THEN 'resolved'
			WHEN r.state = 'processing' THEN CASE
				WHEN coalesce(c.now >= r.lease_expires_at, true) THEN 'resolved'
				ELSE 'refused' END
			WHEN r.state <> 'succeeded' THEN 'resolved'
			-- acknowledging that something happened twice changes no outcome
			WHEN i.decision = 'succeeded' AND (r.anomalies <> '[]' OR r.late_successes <> '[]') THEN 'resolved'
			ELSE 'refused' END AS outcome
		OFFSET 0
	) AS d
),
updated AS (
	UPDATE {{records}} AS r SET
		revision = r.revision + 1,
		state = d.state,
		reason = 'decided',
		max_attempts = CASE d.decision WHEN 'retry' THEN greatest(r.max_attempts, r.attempt + 1) ELSE r.max_attempts END,
		fingerprint = CASE WHEN d.decision = 'retry' AND d.accept_changed_payload THEN NULL ELSE r.fingerprint END,
		fingerprint_fields = CASE WHEN d.decision = 'retry' AND d.accept_changed_payload THEN NULL ELSE r.fingerprint_fields END,
		lease_expires_at = NULL,
		retry_at = CASE d.decision WHEN 'retry' THEN d.now END,
		result = CASE d.decision WHEN 'succeeded' THEN coalesce(d.result::json, r.result) END,
		external_id = CASE d.decision WHEN 'succeeded' THEN coalesce(d.external_id, r.external_id) END,
		late_successes = '[]',
		anomalies = '[]',
		unknown_earlier = false,
		decided_by = jsonb_build_object('decision', d.decision, 'who', d.who, 'why', d.why, 'at', d.now_ms),
		updated_at = d.now,
		completed_at = CASE WHEN d.decision <> 'retry' THEN d.now END,
		expires_at = CASE
			WHEN r.ephemeral THEN r.expires_at
			WHEN d.decision <> 'retry' AND r.retention_seconds <> 0 THEN d.now + r.retention_seconds * interval '1 second'
			END,
		history = (
			r.history || ARRAY[json_build_object(
				'at', d.now_ms, 'from', r.state, 'to', d.state, 'attempt', r.attempt, 'executionId', d.execution_id,
				'note', 'resolved: ' || d.decision, 'kept', d.kept
			)]
		)[greatest(1, cardinality(r.history) - 18):]
	FROM decided AS d
	WHERE r.key = d.key AND d.outcome = 'resolved'
	RETURNING r.key, row_to_json(r) AS record
)
SELECT d.key, d.outcome, d.now_ms AS at, coalesce(u.record, d.unchanged) AS record
FROM decided AS d
LEFT JOIN updated AS u ON u.key = d.key
