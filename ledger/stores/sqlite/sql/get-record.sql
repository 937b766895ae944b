-- One record by its key, expired or not: the rules treat an expired one as none.
SELECT record FROM ledger WHERE key = :key
