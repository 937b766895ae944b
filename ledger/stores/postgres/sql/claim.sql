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
--
-- A record that is over isn't reset in place: the answer is `over`, forget.sql removes it, and the claim
-- is sent again. It's rare, and the 14 columns that only this would touch cost every claim: of an unnamed
-- statement PostgreSQL copies the sub-SELECT once per column in SET (parsing took 1.4 ms with them and
-- takes 0.8 without, measured on PostgreSQL 15).
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
-- up must not wait on, and hold the key later; and its answer must survive a crash of the server, also
-- where synchronous_commit is off. (The other statements do the same.)
CROSS JOIN (SELECT set_config('lock_timeout', $16::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', clock_timestamp()) AS now WHERE i.key IS NOT NULL OFFSET 0) AS c
ON CONFLICT (key) DO UPDATE SET (
	revision, state, reason, token, attempt, policy, fingerprint, fingerprint_fields, lease_expires_at, retry_at,
	unknown_earlier, sealed_word, decided_by, correlation_id, owner, duplicates, conflicts, takeovers,
	updated_at, completed_at, expires_at, history, claim_answer, answered_at
) = (
	SELECT
		r.revision + m.changes::int,
		m.state,
		CASE WHEN m.begins THEN NULL WHEN m.review THEN d.did ELSE r.reason END,
		CASE WHEN m.begins THEN excluded.token ELSE r.token END,
		r.attempt + m.begins::int,
		CASE WHEN m.begins THEN excluded.policy ELSE r.policy END,
		-- stored only at a claim, never dropped
		CASE WHEN m.begins AND r.fingerprint IS NULL THEN excluded.fingerprint ELSE r.fingerprint END,
		CASE WHEN m.begins AND r.fingerprint IS NULL THEN excluded.fingerprint_fields ELSE r.fingerprint_fields END,
		CASE WHEN m.begins OR d.did = 'own' THEN c.now + s.lease WHEN m.review THEN NULL ELSE r.lease_expires_at END,
		CASE WHEN m.enters THEN NULL ELSE r.retry_at END,
		r.unknown_earlier OR d.did = 'takeover',
		CASE WHEN m.begins THEN NULL ELSE r.sealed_word END,
		CASE WHEN m.enters THEN NULL ELSE r.decided_by END,
		CASE WHEN m.begins THEN coalesce(excluded.correlation_id, r.correlation_id) ELSE r.correlation_id END,
		CASE WHEN m.begins THEN excluded.owner ELSE r.owner END,
		r.duplicates + (d.did IN ('busy', 'replay', 'settled'))::int,
		r.conflicts + (d.did IN ('fingerprint_missing', 'fields_differ', 'payload_differs'))::int,
		r.takeovers + (d.did = 'takeover')::int,
		-- counters aren't a change: revision and updated_at stay
		CASE WHEN m.changes THEN c.now ELSE r.updated_at END,
		CASE WHEN m.enters THEN NULL ELSE r.completed_at END,
		CASE WHEN NOT m.enters THEN r.expires_at
			WHEN NOT r.ephemeral THEN NULL
			WHEN m.begins THEN c.now + interval '3600 seconds'
			ELSE r.expires_at END,
		CASE WHEN NOT m.enters THEN r.history ELSE (
			r.history || ARRAY[json_build_object(
				'at', (extract(epoch FROM c.now) * 1000)::bigint, 'from', r.state, 'to', m.state,
				'attempt', r.attempt + m.begins::int, 'executionId', excluded.owner ->> 'executionId', 'note', d.did, 'kept', NULL
			)]
		)[greatest(1, cardinality(r.history) - 18):] END,
		d.did,
		c.now
	-- OFFSET 0 makes the planner compute each step once, instead of copying it into every column above.
	-- The clock names the row, so that no plan can keep the time of a row before: that one may be
	-- older than the wait for this row's lock.
	FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now WHERE r.key = excluded.key OFFSET 0) AS c
	CROSS JOIN LATERAL (
		SELECT
			coalesce(c.now >= r.expires_at, false)
				AND (r.ephemeral OR r.state IN ('succeeded', 'permanent_failed')) AS over,
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
			WHEN s.over THEN 'over'
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
			d.did IN ('takeover', 'retry') AS begins,
			d.did IN ('late_success', 'lease_expired', 'unknown_earlier') AS review,
			d.did IN ('takeover', 'retry', 'late_success', 'lease_expired', 'unknown_earlier') AS enters,
			d.did IN ('takeover', 'retry', 'late_success', 'lease_expired', 'unknown_earlier', 'own') AS changes,
			CASE WHEN d.did IN ('takeover', 'retry') THEN 'processing'
				WHEN d.did IN ('late_success', 'lease_expired', 'unknown_earlier') THEN 'needs_review'
				ELSE r.state END AS state
		OFFSET 0
	) AS m
)
RETURNING row_to_json(r) AS record
