DELETE FROM ledger WHERE key = :key
