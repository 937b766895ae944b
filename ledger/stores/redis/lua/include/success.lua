-- What a success does to a record: transitions/sealSuccess.ts.

-- Two external IDs for one key: the destination made two things. A missing ID proves nothing.
local function contradicts(externalId)
	return externalId ~= nil and command.externalId ~= nil and externalId ~= command.externalId
end

local function second_effect(record, externalId)
	return add_anomaly(record, 'second_effect', externalId)
end

-- Notes the late successes that had another ID; true when that was news.
local function against_late_successes(record)
	local news = false
	for line in string.gmatch(record.lateSuccesses or '', '[^\n]+') do
		local externalId = string.match(line, '^{"attempt":[^,]*,"externalId":(".*"),"at":[^,]*}$')
		if contradicts(externalId) and second_effect(record, externalId) then news = true end
	end
	return news
end

-- A further success: takes the ID if there was none, which may contradict a late success, or notes
-- another one. True when it was news; and true when the effect happened twice, which nobody knew.
local function with_new_id(record)
	if not command.externalId or command.externalId == record.externalId then return false end
	if not record.externalId then
		local twice = against_late_successes(record)
		record.externalId = command.externalId
		return true, twice
	end
	return second_effect(record, command.externalId), false
end

-- Keeps a success on a record that can't become succeeded by it; the first result and ID stay.
local function keep_success(record)
	if record.sealedWord == 'success' or contradicts(record.externalId) then return with_new_id(record) end
	against_late_successes(record)
	record.sealedWord = 'success'
	record.result = command.result
	record.externalId = command.externalId or record.externalId
	return true
end

-- The holder succeeded: settled, with everything doubtful about earlier attempts cleared.
local function success(record)
	local twice = against_late_successes(record)
	enter(record, 'succeeded')
	record.result = command.result
	record.externalId = command.externalId or record.externalId
	record.unknownEarlier = nil
	record.sealedWord = 'success'
	record.lastError = nil
	record.lastErrorAt = nil
	change(record, 'success', command.executionId)
	return 'sealed', twice and 'anomaly' or nil
end
