-- release-2: give a claim back whose effect was certainly not attempted (transitions/lease.ts).
-- KEYS  1 record, 2 index
-- ARGV  token attempt rerun executionId
-- Returns released (without a record when nothing is left) | stale | already_sealed | needs_review | refused
-- @include record
-- @include change
-- @include lease

-- The outcome, and whether the record is to be removed.
local function decide(record)
	if not holds(record) then return 'stale' end
	if late_success_known(record) then return to_review(record, 'late_success') end
	local held = record.state == 'processing' or record.reason == 'lease_expired'
	if command.rerun and (held or record.reason == 'unknown') then return to_review(record, 'effect_rerun') end
	if not held then
		if record.state == 'needs_review' then return 'refused' end
		-- Said before, and the answer was lost.
		return record.sealedWord == 'released' and 'released' or 'already_sealed'
	end
	if record.unknownEarlier then return to_review(record, 'unknown_earlier') end
	if record.attempt == 1 then return 'released', true end
	enter(record, 'retryable_failed', 'released')
	record.retryAt = now
	record.maxAttempts = math.max(record.maxAttempts, record.attempt + 1)
	record.sealedWord = 'released'
	change(record, 'released', command.executionId)
	return 'released'
end

local record = load()
if not record then return reply('released') end
local outcome, gone = decide(record)
if gone then
	remove()
	return reply(outcome)
end
save(record)
return reply(outcome, nil, record)
