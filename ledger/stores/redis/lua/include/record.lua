-- Shared by every script that changes a record. The rules are ledger/core/transitions/*.ts, restated.
--
-- A record is a hash. A field that is null, false, zero (counters) or an empty list is absent. Words
-- of ours and numbers are plain; every text a caller gave is its JSON, which is only stored, joined and
-- compared: two texts are equal exactly when their JSON is, and Lua never parses one. Lists are JSON
-- entries, one a line (JSON text holds no raw line feed).
--
-- KEYS[1] the record, KEYS[2] the index of its shard (layout: keys.ts).
-- ARGV    pairs of name and value; a null is left out.

local NUMBERS = {
	revision = true, attempt = true, maxAttempts = true, leaseExpiresAt = true, retryAt = true,
	deadlineAt = true, duplicates = true, conflicts = true, takeovers = true, staleSeals = true,
	createdAt = true, updatedAt = true, completedAt = true, expiresAt = true, retentionSeconds = true,
	lastErrorAt = true,
}
local LETTERS = {
	processing = 'P', succeeded = 'S', retryable_failed = 'R', permanent_failed = 'F', needs_review = 'N',
}
local HISTORY_LIMIT = 20
local INCIDENT_LIMIT = 5
local EPHEMERAL_MS = 3600 * 1000
-- The largest whole number a double counts by ones to; also keeps index rows at 16 digits.
local LAST_MS = 9007199254740991

local command = {}
for i = 1, #ARGV, 2 do command[ARGV[i]] = ARGV[i + 1] end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

-- The hash as it is in Redis; empty when there is none.
local stored = {}

-- Every double has its exact text: tostring would round at 14 digits.
local function text(number)
	return string.format('%.17g', number)
end

local function digits(ms)
	return string.format('%016.0f', math.min(math.max(ms, 0), LAST_MS))
end

local function is_final(state)
	return state == 'succeeded' or state == 'permanent_failed'
end

-- When the record counts as none; nil while it's unsettled (guarantee G7).
local function end_of(record)
	if record.ephemeral or is_final(record.state) then return tonumber(record.expiresAt) end
	return nil
end

-- A later claim that allows it too would get the next attempt (transitions/expire.ts).
local function may_be_taken_over(record)
	return record.policy == 'take_over' and tonumber(record.attempt) < tonumber(record.maxAttempts)
		and not record.lateSuccesses
end

local function age_row(record)
	return digits(tonumber(record.createdAt)) .. record.key
end

local function state_row(record)
	return LETTERS[record.state] .. age_row(record)
end

-- Names the record's other rows too: when Redis itself has removed the record, forget finds them by it.
local function expiry_row(record)
	local ends = end_of(record)
	if not ends then return nil end
	return 'X' .. digits(ends) .. digits(tonumber(record.createdAt)) .. digits(tonumber(record.updatedAt)) .. record.key
end

-- The row of the feed that tells of a record (core/feed.ts); nil for none.
local function feed_row(record)
	local letter, at
	if record.ephemeral then return nil end
	if record.state == 'needs_review' then
		letter, at = 'n', record.updatedAt
	elseif record.state == 'permanent_failed' then
		letter, at = 'f', record.updatedAt
	elseif record.state == 'retryable_failed' then
		letter, at = 'r', record.retryAt
	elseif record.state == 'processing' then
		letter, at = may_be_taken_over(record) and 'l' or 'e', record.leaseExpiresAt
	end
	return at and letter .. digits(tonumber(at)) .. record.key
end

-- One row as it was, and as it is.
local function replace_row(before, after)
	if before == after then return end
	if after then redis.call('ZADD', KEYS[2], 0, after) end
	if before then redis.call('ZREM', KEYS[2], before) end
end

local function remove()
	redis.call('DEL', KEYS[1])
	replace_row(state_row(stored))
	replace_row(expiry_row(stored))
	replace_row(feed_row(stored))
	stored = {}
end

-- The record, or nil. One that is over counts as none, whatever a purge or Redis' own expiry has done.
local function load()
	local flat = redis.call('HGETALL', KEYS[1])
	if #flat == 0 then return nil end
	local record = {}
	for i = 1, #flat, 2 do
		local name, value = flat[i], flat[i + 1]
		stored[name] = value
		record[name] = NUMBERS[name] and tonumber(value) or value
	end
	local ends = end_of(record)
	if ends and now >= ends then
		remove()
		return nil
	end
	return record
end

-- Writes what differs. HSET comes first: it's what a full memory refuses, before anything has changed.
local function save(record)
	local set, gone = {}, {}
	for name, value in pairs(record) do
		if type(value) == 'number' then value = text(value) end
		if stored[name] ~= value then
			set[#set + 1] = name
			set[#set + 1] = value
		end
	end
	for name in pairs(stored) do
		if record[name] == nil then gone[#gone + 1] = name end
	end
	if #set > 0 then redis.call('HSET', KEYS[1], unpack(set)) end
	if #gone > 0 then redis.call('HDEL', KEYS[1], unpack(gone)) end

	local before = stored.state and state_row(stored)
	local expiry_before = stored.state and expiry_row(stored)
	replace_row(before, state_row(record))
	replace_row(stored.state and feed_row(stored), feed_row(record))
	replace_row(expiry_before, expiry_row(record))
	-- Only what may be forgotten gets a time to live, at the very moment the rules forget it.
	local ends = end_of(record)
	if ends and ends < LAST_MS then
		redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', math.ceil(ends)))
	elseif expiry_before then
		redis.call('PERSIST', KEYS[1])
	end
end

-- Reply: outcome, detail ('' = none), the clock, then the record's fields and values (none = no record).
local function reply(outcome, detail, record)
	local answer = { outcome, detail or '', text(now) }
	for name, value in pairs(record or {}) do
		answer[#answer + 1] = name
		answer[#answer + 1] = type(value) == 'number' and text(value) or value
	end
	return answer
end
