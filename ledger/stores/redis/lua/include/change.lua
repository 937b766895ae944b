-- Changes of a record: transitions/change.ts.

local function word(value)
	return value and '"' .. value .. '"' or 'null'
end

-- One line of history; the newest HISTORY_LIMIT stay.
local function note(record, what, executionId, kept, attempt)
	local line = '{"at":' .. text(now) .. ',"from":' .. word(stored.state) .. ',"to":' .. word(record.state)
		.. ',"attempt":' .. text(attempt or record.attempt) .. ',"executionId":' .. (executionId or 'null')
		.. ',"note":' .. word(what) .. ',"kept":' .. (kept or 'null') .. '}'
	local history = record.history and record.history .. '\n' .. line or line
	local _, breaks = string.gsub(history, '\n', '\n')
	for _ = HISTORY_LIMIT, breaks do
		history = string.sub(history, string.find(history, '\n', 1, true) + 1)
	end
	record.history = history
end

-- Change that isn't worth a line of history: a lease that was renewed.
local function renewed(record)
	record.revision = record.revision + 1
	record.updatedAt = now
end

local function change(record, what, executionId, kept, attempt)
	note(record, what, executionId, kept, attempt)
	renewed(record)
end

-- Counters aren't a change: revision and updatedAt stay.
local function count(record, counter)
	record[counter] = (record[counter] or 0) + 1
end

-- A record that comes into a state: what belonged to the state before is cleared.
local function enter(record, state, reason)
	record.state = state
	record.reason = reason
	record.leaseExpiresAt = nil
	record.retryAt = nil
	record.decidedBy = nil
	record.completedAt = nil
	if is_final(state) then record.completedAt = now end
	if not record.ephemeral then
		record.expiresAt = nil
		if is_final(state) and record.retentionSeconds ~= 0 then
			record.expiresAt = now + record.retentionSeconds * 1000
		end
	end
end

-- Adds an entry that starts with `head` (all but its time) to a list; true when it was news. A list
-- that is full, or knows it already, stays.
local function add(record, list, head)
	local lines = record[list]
	if not lines then
		record[list] = head .. ',"at":' .. text(now) .. '}'
		return true
	end
	if string.find('\n' .. lines, '\n' .. head .. ',"at":', 1, true) then return false end
	local _, breaks = string.gsub(lines, '\n', '\n')
	if breaks + 1 >= INCIDENT_LIMIT then return false end
	record[list] = lines .. '\n' .. head .. ',"at":' .. text(now) .. '}'
	return true
end

local function add_late_success(record, attempt, externalId)
	local head = '{"attempt":' .. text(attempt) .. ',"externalId":' .. (externalId or 'null')
	return add(record, 'lateSuccesses', head)
end

local function add_anomaly(record, kind, externalId, otherKey)
	local head = '{"kind":"' .. kind .. '","externalId":' .. externalId .. ',"otherKey":' .. (otherKey or 'null')
	return add(record, 'anomalies', head)
end

-- The fencing token and the attempt: who holds.
local function holds(record)
	return record.token == command.token and record.attempt == tonumber(command.attempt)
end
