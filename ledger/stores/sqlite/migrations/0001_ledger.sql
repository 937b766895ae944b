-- The record itself is JSON text: the rules of ledger/core/transitions decide on it as it is, and no
-- value is bent by SQLite's types on the way. The columns before it are copies of what is searched,
-- sorted and counted, written together with it (rows.ts); they stand first so that a scan never
-- touches the pages a long record overflows into.
CREATE TABLE ledger (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,
	operation TEXT NOT NULL,
	scope TEXT,
	state TEXT NOT NULL,
	external_id TEXT,
	correlation_id TEXT,
	revision INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_expires_at INTEGER,
	-- From here on the record counts as absent. NULL unless its state lets it expire.
	expires_at INTEGER,
	duplicates INTEGER NOT NULL,
	conflicts INTEGER NOT NULL,
	takeovers INTEGER NOT NULL,
	stale_seals INTEGER NOT NULL,
	-- Which feed tells of the record, and since when (core/feed.ts). NULL for most: they are settled.
	feed TEXT,
	feed_at INTEGER,
	record TEXT NOT NULL
);

CREATE INDEX ledger_by_age ON ledger (created_at, key);
CREATE INDEX ledger_by_state ON ledger (state, created_at, key);
CREATE INDEX ledger_by_external_id ON ledger (external_id, operation, key) WHERE external_id IS NOT NULL;
CREATE INDEX ledger_by_correlation_id ON ledger (correlation_id, created_at, key) WHERE correlation_id IS NOT NULL;
CREATE INDEX ledger_by_expiry ON ledger (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ledger_by_feed ON ledger (feed, feed_at, key) WHERE feed IS NOT NULL;

-- Tells this file from another one that is later found in its place.
CREATE TABLE ledger_identity (identity TEXT NOT NULL);
INSERT INTO ledger_identity VALUES (lower(hex(randomblob(16))));
