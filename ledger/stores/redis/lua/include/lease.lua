-- Shared by extend and release: transitions/lease.ts.

-- An overtaken attempt succeeded while this one was held: nobody may go on as if it hadn't.
local function late_success_known(record)
	return record.lateSuccesses and (record.state == 'processing' or record.reason == 'lease_expired')
end

local function to_review(record, reason)
	enter(record, 'needs_review', reason)
	change(record, reason, command.executionId)
	return 'needs_review'
end
