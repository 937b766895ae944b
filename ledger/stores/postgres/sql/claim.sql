-- Purpose: become owner of the next attempt of each key, or learn why not (transitions/claim.ts).
-- Parameters: arrays of equal length, keys distinct and in ascending order of bytes (so that two
--   batches lock in one order): $1 keys, $2 operations, $3 business IDs, $4 scopes, $5 versions,
--   $6 tokens, $7 leases (ms), $8 policies, $9 maximum attempts, $10 retentions (s), $11 fingerprints,
--   $12 fingerprint fields, $13 correlation IDs, $14 owners (JSON), $15 ephemeral; and $16 how long to
--   wait for a lock (ms).
-- Returns: one row per key: the record after the claim, as JSON. claim_answer in it says what was done,
--   answered_at when it was decided.
--
-- One statement, one atomic step per key: ON CONFLICT DO UPDATE locks the newest version of the row,
-- and everything below SET is computed after that, on that version and on a clock read then.
INSERT INTO {{records}} AS r (
	key, operation, business_id, scope, version, state, token, attempt, max_attempts, policy,
	fingerprint, fingerprint_fields, lease_expires_at, correlation_id, owner, created_at, updated_at,
	expires_at, retention_seconds, ephemeral, history, claim_answer, answered_at
)
SELECT
	i.key, i.operation, i.business_id, i.scope, i.version, 'processing', i.token, 1, i.max_attempts, i.policy,
	i.fingerprint, i.fingerprint_fields, c.now + i.lease_ms * interval '1 millisecond', i.correlation_id, i.owner::json,
	c.now, c.now, CASE WHEN i.ephemeral THEN c.now + interval '3600 seconds' END, i.retention_seconds, i.ephemeral,
	ARRAY[json_build_object(
		'at', (extract(epoch FROM c.now) * 1000)::bigint, 'from', NULL, 'to', 'processing', 'attempt', 1,
		'executionId', i.owner::json ->> 'executionId', 'note', 'first', 'kept', NULL
	)],
	'first', c.now
FROM unnest(
	$1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::bigint[],
	$10::bigint[], $11::text[], $12::text[], $13::text[], $14::text[], $15::boolean[]
) AS i (
	key, operation, business_id, scope, version, token, lease_ms, policy, max_attempts,
	retention_seconds, fingerprint, fingerprint_fields, correlation_id, owner, ephemeral
)
-- For this transaction only, so it leaves nothing on a pooled session: a claim whose caller has given
-- up must not wait on, and hold the key later.
CROSS JOIN (SELECT set_config('lock_timeout', $16::text, true)) AS patience
CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', clock_timestamp()) AS now WHERE i.key IS NOT NULL OFFSET 0) AS c
ON CONFLICT (key) DO UPDATE SET (
	operation, business_id, scope, version, revision, state, reason, token, attempt, max_attempts, policy,
	fingerprint, fingerprint_fields, lease_expires_at, retry_at, deadline_at, result, external_id,
	late_successes, anomalies, unknown_earlier, sealed_word, decided_by, last_error, correlation_id, owner,
	duplicates, conflicts, takeovers, stale_seals, created_at, updated_at, completed_at, expires_at,
	retention_seconds, ephemeral, history, claim_answer, answered_at
) = (
	SELECT
		CASE WHEN m.fresh THEN excluded.operation ELSE r.operation END,
		CASE WHEN m.fresh THEN excluded.business_id ELSE r.business_id END,
		CASE WHEN m.fresh THEN excluded.scope ELSE r.scope END,
		CASE WHEN m.fresh THEN excluded.version ELSE r.version END,
		CASE WHEN m.fresh THEN 1 WHEN m.changes THEN r.revision + 1 ELSE r.revision END,
		m.state,
		CASE WHEN m.begins THEN NULL WHEN m.review THEN d.did ELSE r.reason END,
		CASE WHEN m.begins THEN excluded.token ELSE r.token END,
		m.attempt,
		-- max attempts and retention stay as first given
		CASE WHEN m.fresh THEN excluded.max_attempts ELSE r.max_attempts END,
		CASE WHEN m.begins THEN excluded.policy ELSE r.policy END,
		-- stored only at a claim, never dropped
		CASE WHEN m.fresh OR m.begins AND r.fingerprint IS NULL THEN excluded.fingerprint ELSE r.fingerprint END,
		CASE WHEN m.fresh OR m.begins AND r.fingerprint IS NULL THEN excluded.fingerprint_fields ELSE r.fingerprint_fields END,
		CASE WHEN m.begins OR d.did = 'own' THEN c.now + s.lease WHEN m.review THEN NULL ELSE r.lease_expires_at END,
		CASE WHEN m.begins OR m.review THEN NULL ELSE r.retry_at END,
		CASE WHEN m.fresh THEN NULL ELSE r.deadline_at END,
		CASE WHEN m.fresh THEN NULL ELSE r.result END,
		CASE WHEN m.fresh THEN NULL ELSE r.external_id END,
		CASE WHEN m.fresh THEN '[]' ELSE r.late_successes END,
		CASE WHEN m.fresh THEN '[]' ELSE r.anomalies END,
		CASE WHEN m.fresh THEN false ELSE r.unknown_earlier OR d.did = 'takeover' END,
		CASE WHEN m.begins THEN NULL ELSE r.sealed_word END,
		CASE WHEN m.begins OR m.review THEN NULL ELSE r.decided_by END,
		CASE WHEN m.fresh THEN NULL ELSE r.last_error END,
		CASE WHEN m.fresh THEN excluded.correlation_id
			WHEN m.begins THEN coalesce(excluded.correlation_id, r.correlation_id)
			ELSE r.correlation_id END,
		CASE WHEN m.begins THEN excluded.owner ELSE r.owner END,
		CASE WHEN m.fresh THEN 0 ELSE r.duplicates + (d.did IN ('busy', 'replay', 'settled'))::int END,
		CASE WHEN m.fresh THEN 0 ELSE r.conflicts + m.conflict::int END,
		CASE WHEN m.fresh THEN 0 ELSE r.takeovers + (d.did = 'takeover')::int END,
		CASE WHEN m.fresh THEN 0 ELSE r.stale_seals END,
		CASE WHEN m.fresh THEN c.now ELSE r.created_at END,
		CASE WHEN m.changes THEN c.now ELSE r.updated_at END,
		CASE WHEN m.begins OR m.review THEN NULL ELSE r.completed_at END,
		CASE WHEN m.begins THEN CASE WHEN m.ephemeral THEN c.now + interval '3600 seconds' END
			WHEN m.review AND NOT r.ephemeral THEN NULL
			ELSE r.expires_at END,
		CASE WHEN m.fresh THEN excluded.retention_seconds ELSE r.retention_seconds END,
		m.ephemeral,
		CASE WHEN m.begins OR m.review THEN (
				CASE WHEN m.fresh THEN '{}'::json[] ELSE r.history END || ARRAY[json_build_object(
					'at', (extract(epoch FROM c.now) * 1000)::bigint,
					'from', CASE WHEN NOT m.fresh THEN r.state END,
					'to', m.state,
					'attempt', m.attempt,
					'executionId', excluded.owner ->> 'executionId',
					'note', d.did,
					'kept', NULL
				)]
			)[CASE WHEN m.fresh THEN 1 ELSE greatest(1, cardinality(r.history) - 18) END:]
			ELSE r.history END,
		d.did,
		c.now
	-- OFFSET 0 makes the planner compute each step once, instead of copying it into every column above.
	-- The clock names the row, so that no plan can keep the time of a row before: that one may be
	-- older than the wait for this row's lock.
	FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now WHERE r.key = excluded.key OFFSET 0) AS c
	CROSS JOIN LATERAL (
		SELECT
			coalesce(c.now >= r.expires_at, false)
				AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed')) AS absent,
			r.token = excluded.token AS own,
			coalesce(c.now >= r.lease_expires_at, true) AS lease_over,
			coalesce(c.now >= r.retry_at, true) AS due,
			-- the stored policy is the first claimer's promise, the arriving one this caller's
			r.policy = 'take_over' AND excluded.policy = 'take_over' AS both_take_over,
			-- in seconds: as days it would stretch or shrink with daylight saving time
			extract(epoch FROM excluded.lease_expires_at - excluded.created_at)::float8 * interval '1 second' AS lease
		OFFSET 0
	) AS s
	CROSS JOIN LATERAL (
		SELECT CASE
			WHEN s.absent THEN 'first'
			WHEN r.fingerprint IS NOT NULL AND excluded.fingerprint IS NULL THEN 'fingerprint_missing'
			WHEN r.fingerprint IS NOT NULL AND excluded.fingerprint_fields IS DISTINCT FROM r.fingerprint_fields THEN 'fields_differ'
			WHEN r.fingerprint IS NOT NULL AND excluded.fingerprint <> r.fingerprint THEN 'payload_differs'
			WHEN r.state = 'processing' THEN CASE
				-- another attempt is known to have succeeded: nobody goes on under this claim
				WHEN r.late_successes <> '[]' AND (s.own OR s.lease_over) THEN 'late_success'
				WHEN s.own THEN 'own'
				WHEN NOT s.lease_over THEN 'busy'
				WHEN s.both_take_over AND r.attempt < r.max_attempts THEN 'takeover'
				ELSE 'lease_expired' END
			WHEN r.state = 'succeeded' THEN 'replay'
			WHEN r.state = 'retryable_failed' THEN CASE
				WHEN NOT s.due THEN 'busy'
				WHEN r.unknown_earlier AND NOT s.both_take_over THEN 'unknown_earlier'
				-- a spent token: the run that already ended this attempt isn't given the next one
				WHEN s.own THEN 'busy'
				ELSE 'retry' END
			ELSE 'settled' END AS did
		OFFSET 0
	) AS d
	CROSS JOIN LATERAL (
		SELECT
			d.did = 'first' AS fresh,
			d.did IN ('first', 'takeover', 'retry') AS begins,
			d.did IN ('late_success', 'lease_expired', 'unknown_earlier') AS review,
			d.did IN ('fingerprint_missing', 'fields_differ', 'payload_differs') AS conflict,
			d.did IN ('first', 'takeover', 'retry', 'own', 'late_success', 'lease_expired', 'unknown_earlier') AS changes,
			CASE WHEN d.did IN ('first', 'takeover', 'retry') THEN 'processing'
				WHEN d.did IN ('late_success', 'lease_expired', 'unknown_earlier') THEN 'needs_review'
				ELSE r.state END AS state,
			CASE d.did WHEN 'first' THEN 1 WHEN 'takeover' THEN r.attempt + 1 WHEN 'retry' THEN r.attempt + 1 ELSE r.attempt END AS attempt,
			CASE WHEN d.did = 'first' THEN excluded.ephemeral ELSE r.ephemeral END AS ephemeral
		OFFSET 0
	) AS m
)
RETURNING row_to_json(r) AS record
