-- Purpose: which migrations were run here.
-- Parameters: none.
-- Returns: one row per migration: id.
SELECT id FROM {{migrations}} ORDER BY id
