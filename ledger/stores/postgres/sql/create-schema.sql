-- Purpose: the schema of the tables. Run only when it isn't there: IF NOT EXISTS asks for the right to
--   create one even where there is one.
-- Parameters: none.
-- Returns: nothing.
CREATE SCHEMA IF NOT EXISTS {{schema}}
