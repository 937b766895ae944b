-- Purpose: the list of migrations, and the ledger's one table of records.
-- Placeholders: {{records}} and {{migrations}} are the qualified names of the tables, "<prefix>records"
-- and "<prefix>migrations" in the schema of the credential; {{prefix}} is the table prefix. A DBA who
-- runs this by hand replaces them, creates the schema before, and runs it all in one transaction.
--
-- Text is free of U+0000 and of lone surrogates, which PostgreSQL can't hold: see text.ts.
-- Collation "C" wherever text is indexed: the order of keys is the order of their bytes on every
-- machine, and an update of the operating system's locales can't break an index.
-- Times have milliseconds, so that n8n sees exactly what the server decided with.

CREATE TABLE {{migrations}} (
	id text PRIMARY KEY,
	applied_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE {{records}} (
	key text COLLATE "C" PRIMARY KEY,
	operation text COLLATE "C" NOT NULL,
	business_id text NOT NULL,
	scope text,
	version text,
	revision bigint NOT NULL DEFAULT 1,
	state text NOT NULL CHECK (state IN ('processing', 'succeeded', 'retryable_failed', 'permanent_failed', 'needs_review')),
	reason text,
	token text NOT NULL,
	attempt bigint NOT NULL CHECK (attempt >= 0),
	max_attempts bigint NOT NULL,
	policy text NOT NULL CHECK (policy IN ('review', 'take_over')),
	fingerprint text,
	fingerprint_fields text,
	lease_expires_at timestamptz(3),
	retry_at timestamptz(3),
	deadline_at timestamptz(3),
	-- json, not jsonb: a stored result comes back character by character, \u0000 and key order included
	result json,
	external_id text COLLATE "C",
	late_successes jsonb NOT NULL DEFAULT '[]',
	anomalies jsonb NOT NULL DEFAULT '[]',
	unknown_earlier boolean NOT NULL DEFAULT false,
	sealed_word text,
	decided_by jsonb,
	last_error jsonb,
	correlation_id text COLLATE "C",
	owner json NOT NULL,
	duplicates bigint NOT NULL DEFAULT 0,
	conflicts bigint NOT NULL DEFAULT 0,
	takeovers bigint NOT NULL DEFAULT 0,
	stale_seals bigint NOT NULL DEFAULT 0,
	created_at timestamptz(3) NOT NULL,
	updated_at timestamptz(3) NOT NULL,
	completed_at timestamptz(3),
	expires_at timestamptz(3),
	retention_seconds bigint NOT NULL,
	ephemeral boolean NOT NULL DEFAULT false,
	-- json[] for the same reason as result: an entry may keep one
	history json[] NOT NULL DEFAULT '{}',
	-- What the last claim did, and when it decided. A claim is one INSERT … ON CONFLICT DO UPDATE, whose
	-- RETURNING sees only the new row: this is how the decision gets out of it.
	claim_answer text,
	answered_at timestamptz(3)
)
-- Duplicates change counters only, and no index names them: with room left on the page such an
-- update touches no index (HOT).
WITH (fillfactor = 85);

-- Get Many pages through all records by age.
CREATE INDEX "{{prefix}}records_by_age" ON {{records}} (created_at, key);

-- Get Many for what is open: few records among the many that are settled.
CREATE INDEX "{{prefix}}records_unsettled" ON {{records}} (created_at, key)
	WHERE state IN ('processing', 'retryable_failed', 'needs_review');

-- The look for another key with the same external ID, after every success. Only the first 200
-- characters: an index entry has a limit, and a long ID must not make a seal fail after the effect.
CREATE INDEX "{{prefix}}records_by_external_id" ON {{records}} (left(external_id, 200), operation, key)
	WHERE external_id IS NOT NULL;

CREATE INDEX "{{prefix}}records_by_correlation_id" ON {{records}} (left(correlation_id, 200), created_at, key)
	WHERE correlation_id IS NOT NULL;

-- Purge finds what is over without looking at what is kept for ever.
CREATE INDEX "{{prefix}}records_by_expiry" ON {{records}} (expires_at)
	WHERE expires_at IS NOT NULL;

-- The feeds of what somebody has to look at (core/feed.ts): few records, each in one of these.
CREATE INDEX "{{prefix}}records_to_look_at" ON {{records}} (state, updated_at, key)
	WHERE state IN ('needs_review', 'permanent_failed');

CREATE INDEX "{{prefix}}records_by_lease" ON {{records}} (lease_expires_at, key)
	WHERE state = 'processing';

CREATE INDEX "{{prefix}}records_by_retry" ON {{records}} (retry_at, key)
	WHERE state = 'retryable_failed';

INSERT INTO {{migrations}} (id) VALUES ('0001-records');
