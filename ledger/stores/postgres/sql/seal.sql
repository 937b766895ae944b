-- Purpose: record each attempt's outcome, if its holder still holds (transitions/seal.ts, sealStale.ts,
--   sealSuccess.ts). Guarantee G4: token and attempt are compared in the step that writes.
-- Parameters: arrays of equal length, keys distinct: $1 keys, $2 tokens, $3 attempts, $4 operations,
--   $5 business IDs, $6 scopes, $7 versions, $8 words, $9 results (JSON), $10 external IDs, $11 errors
--   (JSON), $12 retry delays (ms), $13 deadlines (s), $14 rerun, $15 ephemeral, $16 execution IDs; and
--   $17 how long to wait for a lock (ms).
-- Returns: one row per key: key, outcome, detail, at (ms), the record after the seal as JSON. Outcome
--   `raced`: the key came into being while this ran; ask again.
--
-- Rows are locked first, in one order, and decided on that newest version by a clock read after the
-- last lock. The UPDATE meets exactly the versions that were decided on, since they're locked.
WITH input AS MATERIALIZED (
	SELECT i.*
	FROM unnest(
		$1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
		$10::text[], $11::text[], $12::bigint[], $13::bigint[], $14::boolean[], $15::boolean[], $16::text[]
	) AS i (
		key, token, attempt, operation, business_id, scope, version, word, result,
		external_id, error, retry_delay_ms, deadline_seconds, rerun, ephemeral, execution_id
	)
	CROSS JOIN (SELECT set_config('lock_timeout', $17::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
),
locked AS MATERIALIZED (
	SELECT r.* FROM {{records}} AS r WHERE r.key = ANY (ARRAY(SELECT key FROM input)) ORDER BY r.key FOR UPDATE
),
clock AS MATERIALIZED (
	-- depends on the count, and so is read when every lock is held
	SELECT CASE WHEN count(*) >= 0 THEN date_trunc('milliseconds', clock_timestamp()) END AS now FROM locked
),
decided AS MATERIALIZED (
	SELECT
		i.key, c.now, o.outcome, o.detail, v.move, w.changes, w.changes OR v.move = 'stale' AS writes,
		CASE WHEN NOT w.changes AND v.move <> 'stale' AND r.key IS NOT NULL THEN row_to_json(r) END AS unchanged,
		n.state,
		CASE
			WHEN NOT n.enters THEN r.reason
			WHEN v.move = 'success' THEN NULL
			WHEN v.move = 'late_unknown' THEN 'unknown_earlier'
			WHEN v.move IN ('retryable', 'late_success') THEN v.move
			ELSE v.why END AS reason,
		CASE WHEN n.enters THEN NULL ELSE r.lease_expires_at END AS lease_expires_at,
		CASE WHEN v.move = 'retryable' THEN f.retry_at WHEN n.enters THEN NULL ELSE r.retry_at END AS retry_at,
		CASE WHEN v.move = 'retryable' OR v.for_deadline THEN f.deadline_at ELSE r.deadline_at END AS deadline_at,
		CASE WHEN v.move = 'late_unknown' THEN 'review' ELSE r.policy END AS policy,
		CASE WHEN v.move = 'success' OR w.keeps THEN i.result::json ELSE r.result END AS result,
		CASE
			WHEN v.move = 'success' THEN coalesce(i.external_id, r.external_id)
			WHEN v.move IN ('kept', 'external_id') THEN coalesce(r.external_id, i.external_id)
			ELSE r.external_id END AS external_id,
		CASE WHEN v.move = 'late_success' THEN f.with_late_success ELSE r.late_successes END AS late_successes,
		CASE
			WHEN v.move IN ('success', 'external_id') OR w.keeps THEN f.against_late_successes
			WHEN v.move = 'kept' AND r.external_id IS NULL THEN f.against_late_successes
			WHEN v.move IN ('kept', 'second_effect') AND f.contradicts THEN f.with_second_effect
			WHEN v.move = 'late_success' AND r.state = 'succeeded' AND f.contradicts THEN f.with_second_effect
			ELSE r.anomalies END AS anomalies,
		CASE
			WHEN v.move = 'success' THEN false
			WHEN v.move = 'late_unknown' THEN true
			WHEN v.move = 'retryable' OR v.why = 'unknown_earlier' THEN f.doubtful
			ELSE r.unknown_earlier END AS unknown_earlier,
		CASE
			WHEN v.move IN ('success', 'retryable', 'failed', 'review') THEN i.word
			WHEN w.keeps THEN 'success'
			ELSE r.sealed_word END AS sealed_word,
		CASE WHEN n.enters THEN NULL ELSE r.decided_by END AS decided_by,
		CASE
			WHEN v.move = 'success' THEN NULL
			WHEN v.move IN ('retryable', 'failed', 'review') AND i.error IS NOT NULL
				THEN i.error::jsonb || jsonb_build_object('at', f.now_ms)
			ELSE r.last_error END AS last_error,
		CASE WHEN NOT n.enters THEN r.completed_at WHEN n.settles THEN c.now END AS completed_at,
		CASE
			WHEN NOT n.enters OR r.ephemeral THEN r.expires_at
			WHEN n.settles AND r.retention_seconds <> 0 THEN c.now + r.retention_seconds * interval '1 second'
			END AS expires_at,
		CASE WHEN NOT w.changes THEN r.history ELSE (
			r.history || ARRAY[json_build_object(
				'at', f.now_ms,
				'from', r.state,
				'to', n.state,
				'attempt', i.attempt,
				'executionId', i.execution_id,
				'note', CASE WHEN v.move IN ('failed', 'review', 'kept') THEN v.why ELSE v.move END,
				'kept', NULL
			)]
		)[greatest(1, cardinality(r.history) - 18):] END AS history
	FROM input AS i
	CROSS JOIN clock AS c
	LEFT JOIN locked AS r ON r.key = i.key AND NOT (
		coalesce(c.now >= r.expires_at, false) AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
	)
	-- Facts: the word beside the record. OFFSET 0: computed once, not copied into every column above.
	CROSS JOIN LATERAL (
		SELECT
			(extract(epoch FROM c.now) * 1000)::bigint AS now_ms,
			r.token = i.token AND r.attempt = i.attempt AS holds,
			r.state = 'processing' OR r.state = 'needs_review' AND coalesce(r.reason = 'lease_expired', false) AS held,
			r.state IN ('retryable_failed', 'permanent_failed') AS failed,
			i.word = 'success' AS success,
			i.word IN ('unknown', 'unknown_retryable') AS unknown,
			coalesce(r.sealed_word = i.word, false) AS same_word,
			-- a missing ID proves nothing
			coalesce(r.external_id <> i.external_id, false) AS contradicts,
			r.unknown_earlier OR i.word = 'unknown_retryable' AS doubtful,
			c.now + i.retry_delay_ms * interval '1 millisecond' AS retry_at,
			r.created_at + i.deadline_seconds * interval '1 second' AS deadline_at,
			CASE
				WHEN r.late_successes @> jsonb_build_array(jsonb_build_object('attempt', i.attempt, 'externalId', i.external_id))
					OR jsonb_array_length(r.late_successes) >= 5 THEN r.late_successes
				ELSE r.late_successes || jsonb_build_object(
					'attempt', i.attempt, 'externalId', i.external_id, 'at', (extract(epoch FROM c.now) * 1000)::bigint
				) END AS with_late_success,
			CASE
				WHEN r.anomalies @> jsonb_build_array(jsonb_build_object('kind', 'second_effect', 'externalId', i.external_id, 'otherKey', NULL))
					OR jsonb_array_length(r.anomalies) >= 5 THEN r.anomalies
				ELSE r.anomalies || jsonb_build_object(
					'kind', 'second_effect', 'externalId', i.external_id, 'otherKey', NULL, 'at', (extract(epoch FROM c.now) * 1000)::bigint
				) END AS with_second_effect,
			-- every late success with another ID: the effect happened twice
			CASE WHEN r.late_successes = '[]' OR i.external_id IS NULL THEN r.anomalies ELSE r.anomalies || (
				SELECT coalesce(jsonb_agg(jsonb_build_object(
					'kind', 'second_effect', 'externalId', late.id, 'otherKey', NULL, 'at', (extract(epoch FROM c.now) * 1000)::bigint
				) ORDER BY late.place), '[]')
				FROM (
					SELECT one.value ->> 'externalId' AS id, min(one.place) AS place
					FROM jsonb_array_elements(r.late_successes) WITH ORDINALITY AS one (value, place)
					WHERE one.value ->> 'externalId' <> i.external_id
						AND NOT r.anomalies @> jsonb_build_array(jsonb_build_object(
							'kind', 'second_effect', 'externalId', one.value ->> 'externalId', 'otherKey', NULL))
					GROUP BY 1
					ORDER BY 2
					LIMIT greatest(0, 5 - jsonb_array_length(r.anomalies))
				) AS late
			) END AS against_late_successes
		OFFSET 0
	) AS f
	-- The verdict, as move:why, :deadline where the deadline caused it. First row that fits.
	CROSS JOIN LATERAL (
		SELECT CASE
			WHEN r.key IS NULL THEN CASE WHEN f.success THEN 'orphan' ELSE 'absent' END
			-- no longer the holder: decides nothing, but may be the only sign that an effect happened
			WHEN NOT f.holds THEN CASE
				WHEN f.success AND (
					f.failed
					OR f.with_late_success <> r.late_successes
					OR r.state = 'succeeded' AND f.contradicts AND f.with_second_effect <> r.anomalies
				) THEN 'late_success'
				WHEN f.unknown AND r.state <> 'succeeded'
					AND (r.state = 'permanent_failed' OR NOT r.unknown_earlier OR r.policy <> 'review') THEN 'late_unknown'
				ELSE 'stale' END
			WHEN f.held THEN CASE
				WHEN f.success THEN 'success'
				WHEN r.late_successes <> '[]' THEN 'review:late_success'
				WHEN i.rerun THEN 'review:effect_rerun'
				WHEN i.word = 'unknown' THEN 'review:unknown'
				WHEN i.word = 'permanent' THEN CASE WHEN f.doubtful THEN 'review:unknown_earlier' ELSE 'failed:permanent' END
				WHEN r.attempt >= r.max_attempts THEN CASE WHEN f.doubtful THEN 'review:unknown_earlier' ELSE 'failed:attempts_exhausted' END
				WHEN f.retry_at > f.deadline_at THEN CASE WHEN f.doubtful THEN 'review:unknown_earlier:deadline' ELSE 'failed:deadline:deadline' END
				ELSE 'retryable' END
			WHEN r.state = 'needs_review' AND r.reason = 'unknown' THEN CASE
				WHEN f.success THEN 'success'
				WHEN i.rerun THEN 'review:effect_rerun'
				WHEN f.same_word THEN 'again'
				ELSE 'stays' END
			WHEN r.state = 'needs_review' THEN CASE
				WHEN NOT f.success THEN 'stays'
				-- only news: a first success, a first ID, another ID
				WHEN r.sealed_word IS DISTINCT FROM 'success' AND NOT f.contradicts THEN 'kept:success_kept'
				WHEN r.external_id IS NULL AND i.external_id IS NOT NULL THEN 'kept:success_kept'
				WHEN f.contradicts AND f.with_second_effect <> r.anomalies THEN 'kept:success_kept'
				ELSE 'stays' END
			-- a person decided: only news moves it
			WHEN f.failed AND r.decided_by IS NOT NULL THEN CASE
				WHEN f.success AND r.state = 'retryable_failed' THEN 'success'
				WHEN f.success THEN 'kept:contradiction'
				WHEN f.unknown AND coalesce(r.sealed_word, '') NOT IN ('unknown', 'unknown_retryable') THEN 'review:unknown'
				ELSE 'stays' END
			-- the holder's own first word stands, unless the second one makes it doubtful
			WHEN f.failed THEN CASE
				WHEN f.same_word THEN 'again'
				WHEN f.success THEN 'kept:mixed_outcomes'
				WHEN f.unknown THEN 'review:mixed_outcomes'
				ELSE 'stays' END
			-- succeeded
			WHEN NOT f.success THEN 'stays'
			WHEN f.contradicts AND f.with_second_effect <> r.anomalies THEN 'second_effect'
			WHEN f.contradicts THEN 'second_effect_again'
			WHEN r.external_id IS NULL AND i.external_id IS NOT NULL THEN 'external_id'
			ELSE 'again' END AS verdict
		OFFSET 0
	) AS d
	CROSS JOIN LATERAL (
		SELECT
			split_part(d.verdict, ':', 1) AS move,
			split_part(d.verdict, ':', 2) AS why,
			split_part(d.verdict, ':', 3) = 'deadline' AS for_deadline
		OFFSET 0
	) AS v
	CROSS JOIN LATERAL (
		SELECT
			v.move NOT IN ('orphan', 'absent', 'stale', 'again', 'second_effect_again', 'stays') AS changes,
			-- the first success on a record that can't become succeeded by it: word and result are kept
			v.move = 'kept' AND r.sealed_word IS DISTINCT FROM 'success' AND NOT f.contradicts AS keeps
		OFFSET 0
	) AS w
	CROSS JOIN LATERAL (
		SELECT
			e.enters,
			v.move IN ('success', 'failed') AS settles,
			CASE
				WHEN NOT e.enters THEN r.state
				WHEN v.move = 'success' THEN 'succeeded'
				WHEN v.move = 'retryable' THEN 'retryable_failed'
				WHEN v.move = 'failed' THEN 'permanent_failed'
				ELSE 'needs_review' END AS state
		FROM (SELECT
			v.move IN ('success', 'retryable', 'failed', 'review')
			OR v.move = 'kept' AND v.why <> 'success_kept'
			OR v.move = 'late_success' AND f.failed
			OR v.move = 'late_unknown' AND r.state = 'permanent_failed' AS enters) AS e
		OFFSET 0
	) AS n
	CROSS JOIN LATERAL (
		SELECT
			CASE
				WHEN v.move IN ('orphan', 'absent') THEN 'not_found'
				WHEN NOT f.holds THEN 'stale'
				WHEN v.move = 'stays' OR v.why = 'success_kept' THEN 'already_sealed'
				ELSE 'sealed' END AS outcome,
			CASE
				WHEN v.move = 'external_id' AND f.against_late_successes <> r.anomalies THEN 'anomaly'
				WHEN v.move IN ('again', 'external_id') THEN 'again'
				WHEN v.move IN ('second_effect', 'second_effect_again') THEN 'anomaly'
				WHEN v.move = 'success' AND f.against_late_successes <> r.anomalies THEN 'anomaly'
				END AS detail
	) AS o
),
updated AS (
	UPDATE {{records}} AS r SET
		revision = r.revision + d.changes::int,
		state = d.state,
		reason = d.reason,
		policy = d.policy,
		lease_expires_at = d.lease_expires_at,
		retry_at = d.retry_at,
		deadline_at = d.deadline_at,
		result = d.result,
		external_id = d.external_id,
		late_successes = d.late_successes,
		anomalies = d.anomalies,
		unknown_earlier = d.unknown_earlier,
		sealed_word = d.sealed_word,
		decided_by = d.decided_by,
		last_error = d.last_error,
		-- counters aren't a change: revision and updated_at stay
		stale_seals = r.stale_seals + (d.outcome = 'stale')::int,
		updated_at = CASE WHEN d.changes THEN d.now ELSE r.updated_at END,
		completed_at = d.completed_at,
		expires_at = d.expires_at,
		history = d.history
	FROM decided AS d
	WHERE r.key = d.key AND d.writes
	RETURNING r.key, row_to_json(r) AS record
),
orphaned AS (
	-- A success without a record is kept for a person, in place of one that is over.
	INSERT INTO {{records}} AS r (
		key, operation, business_id, scope, version, state, reason, token, attempt, max_attempts, policy, result,
		external_id, sealed_word, owner, created_at, updated_at, expires_at, retention_seconds, ephemeral, history
	)
	SELECT
		i.key, i.operation, i.business_id, i.scope, i.version, 'needs_review', 'orphan_success', i.token, i.attempt, 5, 'review',
		i.result::json, i.external_id, 'success',
		json_build_object('instanceId', NULL, 'workflowId', NULL, 'workflowName', NULL, 'executionId', i.execution_id, 'nodeName', NULL),
		d.now, d.now, CASE WHEN i.ephemeral THEN d.now + interval '3600 seconds' END, 2592000, i.ephemeral,
		ARRAY[json_build_object(
			'at', (extract(epoch FROM d.now) * 1000)::bigint, 'from', NULL, 'to', 'needs_review', 'attempt', i.attempt,
			'executionId', i.execution_id, 'note', 'orphan_success', 'kept', NULL
		)]
	FROM decided AS d
	JOIN input AS i ON i.key = d.key
	WHERE d.move = 'orphan'
	ON CONFLICT (key) DO UPDATE SET
		operation = excluded.operation,
		business_id = excluded.business_id,
		scope = excluded.scope,
		version = excluded.version,
		revision = 1,
		state = excluded.state,
		reason = excluded.reason,
		token = excluded.token,
		attempt = excluded.attempt,
		max_attempts = excluded.max_attempts,
		policy = excluded.policy,
		fingerprint = NULL,
		fingerprint_fields = NULL,
		lease_expires_at = NULL,
		retry_at = NULL,
		deadline_at = NULL,
		result = excluded.result,
		external_id = excluded.external_id,
		late_successes = '[]',
		anomalies = '[]',
		unknown_earlier = false,
		sealed_word = excluded.sealed_word,
		decided_by = NULL,
		last_error = NULL,
		correlation_id = NULL,
		owner = excluded.owner,
		duplicates = 0,
		conflicts = 0,
		takeovers = 0,
		stale_seals = 0,
		created_at = excluded.created_at,
		updated_at = excluded.updated_at,
		completed_at = NULL,
		expires_at = excluded.expires_at,
		retention_seconds = excluded.retention_seconds,
		ephemeral = excluded.ephemeral,
		history = excluded.history
	-- Whoever came in between is not overwritten: no row comes back, and the seal is decided again.
	WHERE coalesce(excluded.created_at >= r.expires_at, false)
		AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed'))
	RETURNING r.key, row_to_json(r) AS record
)
SELECT
	d.key,
	CASE WHEN d.move = 'orphan' AND o.key IS NULL THEN 'raced' ELSE d.outcome END AS outcome,
	d.detail,
	(extract(epoch FROM d.now) * 1000)::bigint AS at,
	coalesce(u.record, o.record, d.unchanged) AS record
FROM decided AS d
LEFT JOIN updated AS u ON u.key = d.key
LEFT JOIN orphaned AS o ON o.key = d.key
