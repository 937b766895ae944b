-- The record as it is after a command. An update, never a REPLACE: the id stays, so that a scan by id
-- (statistics) meets a record once.
INSERT INTO ledger (
	key, operation, scope, state, external_id, correlation_id, revision, created_at, updated_at,
	lease_expires_at, expires_at, duplicates, conflicts, takeovers, stale_seals, feed, feed_at, record
) VALUES (
	:key, :operation, :scope, :state, :externalId, :correlationId, :revision, :createdAt, :updatedAt,
	:leaseExpiresAt, :expiresAt, :duplicates, :conflicts, :takeovers, :staleSeals, :feed, :feedAt, :record
)
ON CONFLICT (key) DO UPDATE SET
	operation = excluded.operation,
	scope = excluded.scope,
	state = excluded.state,
	external_id = excluded.external_id,
	correlation_id = excluded.correlation_id,
	revision = excluded.revision,
	created_at = excluded.created_at,
	updated_at = excluded.updated_at,
	lease_expires_at = excluded.lease_expires_at,
	expires_at = excluded.expires_at,
	duplicates = excluded.duplicates,
	conflicts = excluded.conflicts,
	takeovers = excluded.takeovers,
	stale_seals = excluded.stale_seals,
	feed = excluded.feed,
	feed_at = excluded.feed_at,
	record = excluded.record
