-- seal-2: record the outcome of an attempt, if its holder still holds (transitions/seal.ts).
-- KEYS  1 record, 2 index
-- ARGV  key operation businessId scope version token attempt word result externalId error retryDelayMs
--       deadlineSeconds rerun ephemeral executionId owner (of an orphan)
-- Returns sealed (again, anomaly) | already_sealed | stale | not_found (with the record of an orphan)
-- @include record
-- @include change
-- @include success

local function is_unknown(said)
	return said == 'unknown' or said == 'unknown_retryable'
end
-- @include stale

-- What every failure word leaves on the record.
local function told(record, what)
	record.sealedWord = command.word
	if command.error then
		record.lastError = command.error
		record.lastErrorAt = now
	end
	change(record, what, command.executionId)
	return 'sealed'
end

local function to_review(record, reason)
	enter(record, 'needs_review', reason)
	return told(record, reason)
end

-- Failed for good, unless an earlier attempt may have succeeded: that a person has to find out.
local function to_failed(record, reason)
	if record.unknownEarlier then return to_review(record, 'unknown_earlier') end
	enter(record, 'permanent_failed', reason)
	return told(record, reason)
end

-- Retry is due later, unless attempts or time are used up.
local function to_retry(record)
	if record.attempt >= record.maxAttempts then return to_failed(record, 'attempts_exhausted') end
	local retryAt = now + tonumber(command.retryDelayMs)
	local deadlineAt = nil
	if command.deadlineSeconds then deadlineAt = record.createdAt + tonumber(command.deadlineSeconds) * 1000 end
	record.deadlineAt = deadlineAt
	if deadlineAt and retryAt > deadlineAt then return to_failed(record, 'deadline') end
	enter(record, 'retryable_failed', 'retryable')
	record.retryAt = retryAt
	return told(record, 'retryable')
end

-- The usual case: the holder's first word, the lease alive or over (nobody took it).
local function seal_held(record)
	if command.word == 'success' then return success(record) end
	if record.lateSuccesses then return to_review(record, 'late_success') end
	if command.rerun then return to_review(record, 'effect_rerun') end
	if command.word == 'unknown' then return to_review(record, 'unknown') end
	if command.word == 'permanent' then return to_failed(record, 'permanent') end
	if command.word == 'unknown_retryable' then record.unknownEarlier = '1' end
	return to_retry(record)
end

local function same_word(record)
	return record.sealedWord == command.word
end

local function seal_in_review(record)
	if record.reason == 'lease_expired' then return seal_held(record) end
	if record.reason == 'unknown' then
		if command.word == 'success' then return success(record) end
		if command.rerun then return to_review(record, 'effect_rerun') end
		if same_word(record) then return 'sealed', 'again' end
		return 'already_sealed'
	end
	if command.word == 'success' and keep_success(record) then
		change(record, 'success_kept', command.executionId)
	end
	return 'already_sealed'
end

local function success_in_doubt(record, reason)
	enter(record, 'needs_review', reason)
	keep_success(record)
	change(record, reason, command.executionId)
	return 'sealed'
end

-- R or F by the holder's own word: the first word stands, unless the second one makes it doubtful.
local function seal_failed(record)
	if same_word(record) then return 'sealed', 'again' end
	if command.word == 'success' then return success_in_doubt(record, 'mixed_outcomes') end
	if is_unknown(command.word) then return to_review(record, 'mixed_outcomes') end
	return 'already_sealed'
end

-- R or F because a person said so: only news moves it.
local function seal_decided(record)
	if command.word == 'success' then
		if record.state == 'retryable_failed' then return success(record) end
		return success_in_doubt(record, 'contradiction')
	end
	if is_unknown(command.word) and not is_unknown(record.sealedWord) then return to_review(record, 'unknown') end
	return 'already_sealed'
end

-- A success stands. A second one with another external ID means that the effect happened twice.
local function seal_succeeded(record)
	if command.word ~= 'success' then return 'already_sealed' end
	local other = contradicts(record.externalId)
	local news, twice = with_new_id(record)
	if news then change(record, other and 'second_effect' or 'external_id', command.executionId) end
	return 'sealed', (other or twice) and 'anomaly' or 'again'
end

local function decide(record)
	if not holds(record) then return stale(record) end
	if record.state == 'processing' then return seal_held(record) end
	if record.state == 'needs_review' then return seal_in_review(record) end
	if record.state == 'succeeded' then return seal_succeeded(record) end
	if record.decidedBy then return seal_decided(record) end
	return seal_failed(record)
end

local record = load()
local outcome, detail
if record then
	outcome, detail = decide(record)
else
	record, outcome = orphan(), 'not_found'
end
if record then save(record) end
return reply(outcome, detail, record)
