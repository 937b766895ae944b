-- Purpose: second, advisory step after a success: another key of the same operation has this external ID
--   (transitions/sharedExternalId.ts). Never a constraint: the effect has happened already.
-- Parameters: arrays of equal length, keys distinct: $1 keys, $2 execution IDs, $3 when the seal was
--   decided (epoch ms); and $4 how long to wait for a lock (ms).
-- Returns: one row for each key that shares its ID: key, the record afterwards as JSON.
--
-- A statement of its own, so that its snapshot is younger than the commit of the seal: of two seals
-- at the same time at least the later one sees the other. Without a find it only reads.
WITH input AS MATERIALIZED (
	SELECT i.key, i.execution_id, i.at_ms, timestamptz 'epoch' + i.at_ms * interval '1 millisecond' AS at
	FROM unnest($1::text[], $2::text[], $3::bigint[]) AS i (key, execution_id, at_ms)
	CROSS JOIN (SELECT set_config('lock_timeout', $4::text, true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)) AS terms
),
found AS MATERIALIZED (
	SELECT i.*, r.external_id, other.key AS other_key
	FROM input AS i
	JOIN {{records}} AS r ON r.key = i.key
	CROSS JOIN LATERAL (
		SELECT o.key
		FROM {{records}} AS o
		WHERE left(o.external_id, 200) = left(r.external_id, 200)
			AND o.external_id = r.external_id
			AND o.operation = r.operation
			AND o.key <> r.key
			AND NOT (coalesce(i.at >= o.expires_at, false) AND (o.ephemeral OR o.state IN ('succeeded', 'permanent_failed')))
		ORDER BY o.key
		LIMIT 1
	) AS other
	WHERE r.state = 'succeeded'
),
locked AS MATERIALIZED (
	SELECT r.* FROM {{records}} AS r WHERE r.key = ANY (ARRAY(SELECT key FROM found)) ORDER BY r.key FOR UPDATE
),
decided AS MATERIALIZED (
	SELECT
		f.*,
		-- once; the list is short
		NOT r.anomalies @> jsonb_build_array(jsonb_build_object(
				'kind', 'shared_external_id', 'externalId', r.external_id, 'otherKey', f.other_key))
			AND jsonb_array_length(r.anomalies) < 5 AS news,
		row_to_json(r) AS unchanged
	FROM found AS f
	-- the record may have moved on since the seal
	JOIN locked AS r ON r.key = f.key AND r.state = 'succeeded' AND r.external_id = f.external_id
),
updated AS (
	UPDATE {{records}} AS r SET
		revision = r.revision + 1,
		anomalies = r.anomalies || jsonb_build_object(
			'kind', 'shared_external_id', 'externalId', r.external_id, 'otherKey', d.other_key, 'at', d.at_ms),
		updated_at = greatest(r.updated_at, d.at),
		history = (
			r.history || ARRAY[json_build_object(
				'at', d.at_ms, 'from', r.state, 'to', r.state, 'attempt', r.attempt, 'executionId', d.execution_id,
				'note', 'shared_external_id', 'kept', NULL
			)]
		)[greatest(1, cardinality(r.history) - 18):]
	FROM decided AS d
	WHERE r.key = d.key AND d.news
	RETURNING r.key, row_to_json(r) AS record
)
SELECT d.key, coalesce(u.record, d.unchanged) AS record
FROM decided AS d
LEFT JOIN updated AS u ON u.key = d.key
