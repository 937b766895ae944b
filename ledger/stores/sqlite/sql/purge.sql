-- Longest expired first.
DELETE FROM ledger WHERE id IN (
	SELECT id FROM ledger WHERE expires_at <= :at ORDER BY expires_at LIMIT :limit
)
