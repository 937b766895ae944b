-- resolve-2: a person's decision, on the revision and token looked at (transitions/resolve.ts).
-- KEYS  1 record, 2 index
-- ARGV  token revision decision force who why result externalId acceptChangedPayload executionId
-- Returns resolved | not_found | stale_decision | refused
-- @include record
-- @include change

local function allowed(record)
	if record.state == 'processing' then return now >= (record.leaseExpiresAt or 0) end
	if record.state ~= 'succeeded' then return true end
	-- Acknowledging that something happened twice changes no outcome.
	return command.decision == 'succeeded' and (record.anomalies or record.lateSuccesses)
end

local function json_list(lines)
	return '[' .. string.gsub(lines, '\n', ',') .. ']'
end

-- Who decided and why, and what the decision takes off the record: the history keeps it.
local function cleared(record)
	local kept = { '"who":' .. command.who, '"why":' .. command.why }
	local succeeded = command.decision == 'succeeded'
	if record.result and (not succeeded or command.result) then kept[#kept + 1] = '"result":' .. record.result end
	if record.externalId and (not succeeded or command.externalId) then
		kept[#kept + 1] = '"externalId":' .. record.externalId
	end
	for _, list in ipairs({ 'lateSuccesses', 'anomalies' }) do
		if record[list] then kept[#kept + 1] = '"' .. list .. '":' .. json_list(record[list]) end
	end
	if record.unknownEarlier then kept[#kept + 1] = '"unknownEarlier":true' end
	return '{' .. table.concat(kept, ',') .. '}'
end

local function apply(record)
	local kept = cleared(record)
	local result, externalId = record.result, record.externalId
	record.unknownEarlier = nil
	record.lateSuccesses = nil
	record.anomalies = nil
	record.result = nil
	record.externalId = nil
	if command.decision == 'succeeded' then
		enter(record, 'succeeded', 'decided')
		record.result = command.result or result
		record.externalId = command.externalId or externalId
	elseif command.decision == 'failed' then
		enter(record, 'permanent_failed', 'decided')
	else
		enter(record, 'retryable_failed', 'decided')
		record.retryAt = now
		record.maxAttempts = math.max(record.maxAttempts, record.attempt + 1)
		if command.acceptChangedPayload then
			record.fingerprint = nil
			record.fingerprintFields = nil
		end
	end
	record.decidedBy = '{"decision":"' .. command.decision .. '","who":' .. command.who .. ',"why":' .. command.why
		.. ',"at":' .. text(now) .. '}'
	change(record, 'resolved: ' .. command.decision, command.executionId, kept)
end

local record = load()
if not record then return reply('not_found') end
if record.revision ~= tonumber(command.revision) or record.token ~= command.token then
	return reply('stale_decision', nil, record)
end
if not command.force and not allowed(record) then return reply('refused', nil, record) end
apply(record)
save(record)
return reply('resolved', nil, record)
