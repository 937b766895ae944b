-- Purpose: what server this is, and what is there of the ledger. Reads catalogs only, so that it works
--   without any right, on any version, and in any state of the tables.
-- Parameters: $1 schema, $2 table of records, $3 table of migrations.
-- Returns: one row; columns of a table as JSON {name: type}, null when there is no such table.
SELECT
	current_setting('server_version_num')::int AS version_number,
	current_setting('server_version') AS version,
	pg_is_in_recovery() AS standby,
	current_setting('transaction_read_only') = 'on' AS read_only,
	current_setting('synchronous_commit') AS synchronous_commit,
	current_setting('fsync') AS fsync,
	current_setting('full_page_writes') AS full_page_writes,
	current_setting('server_encoding') AS server_encoding,
	current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
	(SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role_connections,
	(SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database_connections,
	current_user AS role,
	n.oid IS NOT NULL AS schema_exists,
	coalesce(has_schema_privilege(n.oid, 'USAGE'), false) AS may_use_schema,
	coalesce(has_schema_privilege(n.oid, 'CREATE'), has_database_privilege(current_database(), 'CREATE')) AS may_create,
	r.columns AS records_columns,
	r.rights AS records_rights,
	m.columns AS migrations_columns,
	m.rights AS migrations_rights
FROM (SELECT 1) AS one
LEFT JOIN pg_namespace AS n ON n.nspname = $1::text
LEFT JOIN LATERAL (
	SELECT
		(SELECT json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod))
			FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
		(SELECT json_object_agg(p.name, has_table_privilege(c.oid, p.name))
			FROM (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) AS p (name)) AS rights
	FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relname = $2::text
) AS r ON true
LEFT JOIN LATERAL (
	SELECT
		(SELECT json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod))
			FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
		(SELECT json_object_agg(p.name, has_table_privilege(c.oid, p.name)) FROM (VALUES ('SELECT')) AS p (name)) AS rights
	FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relname = $3::text
) AS m ON true
