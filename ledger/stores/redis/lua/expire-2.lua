-- expire-2: move a claim whose lease ran out, and that nobody may take over, to review (transitions/expire.ts).
-- KEYS  1 record, 2 index
-- ARGV  graceMs
-- Returns expired | kept
-- @include record
-- @include change

local function is_over(record)
	if record.state ~= 'processing' or record.ephemeral or not record.leaseExpiresAt then return false end
	return now >= record.leaseExpiresAt + tonumber(command.graceMs)
end

local record = load()
if not record then return reply('kept') end
if not is_over(record) or may_be_taken_over(record) then return reply('kept', nil, record) end
local reason = record.lateSuccesses and 'late_success' or 'lease_expired'
enter(record, 'needs_review', reason)
change(record, reason)
save(record)
return reply('expired', nil, record)
