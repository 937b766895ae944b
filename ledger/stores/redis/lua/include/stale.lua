-- A seal whose holder no longer holds, or whose record is gone: transitions/sealStale.ts. It decides
-- nothing (guarantee G4), but what it says may be the only sign that an effect happened.

local function late_success(record)
	local attempt = tonumber(command.attempt)
	local failed = record.state == 'retryable_failed' or record.state == 'permanent_failed'
	local news = add_late_success(record, attempt, command.externalId)
	if record.state == 'succeeded' and contradicts(record.externalId) then
		news = second_effect(record, command.externalId) or news
	end
	if not failed and not news then return end
	if failed then enter(record, 'needs_review', 'late_success') end
	change(record, 'late_success', command.executionId, nil, attempt)
end

-- Nobody knows what that earlier attempt did: nothing may be taken over on its own any more.
local function late_unknown(record)
	if record.state == 'succeeded' then return end
	local failed = record.state == 'permanent_failed'
	if not failed and record.unknownEarlier and record.policy == 'review' then return end
	record.unknownEarlier = '1'
	record.policy = 'review'
	if failed then enter(record, 'needs_review', 'unknown_earlier') end
	change(record, 'late_unknown', command.executionId, nil, tonumber(command.attempt))
end

local function stale(record)
	count(record, 'staleSeals')
	if command.word == 'success' then late_success(record) end
	if is_unknown(command.word) then late_unknown(record) end
	return 'stale'
end

-- No record: a success is kept for a person, any other word has nothing to say.
local function orphan()
	if command.word ~= 'success' then return nil end
	local record = {
		key = command.key,
		operation = command.operation,
		businessId = command.businessId,
		scope = command.scope,
		version = command.version,
		revision = 1,
		state = 'needs_review',
		reason = 'orphan_success',
		token = command.token,
		attempt = tonumber(command.attempt),
		maxAttempts = 5, -- DEFAULT_MAX_ATTEMPTS
		policy = 'review',
		result = command.result,
		externalId = command.externalId,
		sealedWord = 'success',
		owner = command.owner,
		createdAt = now,
		updatedAt = now,
		expiresAt = command.ephemeral and now + EPHEMERAL_MS or nil,
		retentionSeconds = 2592000, -- DEFAULT_RETENTION_SECONDS
		ephemeral = command.ephemeral,
	}
	note(record, 'orphan_success', command.executionId)
	return record
end
