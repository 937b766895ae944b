-- Last id of the next rows to count; NULL when there are none.
SELECT MAX(id) AS last FROM (SELECT id FROM ledger WHERE id > :after ORDER BY id LIMIT :size)
