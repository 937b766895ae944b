-- Another living key of the operation with this external ID; the first, so that every store names the same.
SELECT key FROM ledger
WHERE external_id = :externalId AND operation = :operation AND key <> :key
	AND (expires_at IS NULL OR expires_at > :at)
ORDER BY key
LIMIT 1
