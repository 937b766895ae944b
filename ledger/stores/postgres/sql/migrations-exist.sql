-- Purpose: whether there is a table of migrations; asked again behind the lock.
-- Parameters: $1 schema, $2 table.
-- Returns: one row: found.
SELECT EXISTS (
	SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
	WHERE n.nspname = $1::text AND c.relname = $2::text
) AS found
