-- extend-2: prolong a lease, never shorten it (transitions/lease.ts).
-- KEYS  1 record, 2 index
-- ARGV  token attempt extendMs
-- Returns extended | not_found | stale | already_sealed | needs_review
-- @include record
-- @include change
-- @include lease

local function decide(record)
	if not holds(record) then return 'stale' end
	if late_success_known(record) then return to_review(record, 'late_success') end
	if record.state == 'needs_review' then return 'needs_review' end
	if record.state ~= 'processing' then return 'already_sealed' end
	record.leaseExpiresAt = math.max(record.leaseExpiresAt or 0, now + tonumber(command.extendMs))
	renewed(record)
	return 'extended'
end

local record = load()
if not record then return reply('not_found') end
local outcome = decide(record)
save(record)
return reply(outcome, nil, record)
