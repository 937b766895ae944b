-- Whose file it is. One statement, so that all three come from one moment: another process may be
-- making the tables right now.
SELECT
	(SELECT application_id FROM pragma_application_id) AS application,
	(SELECT user_version FROM pragma_user_version) AS version,
	(SELECT COUNT(*) FROM sqlite_schema) AS tables
