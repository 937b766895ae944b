-- Counts of the living records in a range of ids (see core/statistics.ts for what they mean).
SELECT
	operation,
	state,
	COUNT(*) AS records,
	SUM(duplicates) AS duplicates,
	SUM(conflicts) AS conflicts,
	SUM(takeovers) AS takeovers,
	SUM(stale_seals) AS staleSeals,
	MIN(updated_at) AS oldest,
	SUM(COALESCE(lease_expires_at, 0) <= :at) AS leaseOver
FROM ledger
WHERE id > :after AND id <= :last AND (expires_at IS NULL OR expires_at > :at)
GROUP BY operation, state
