-- claim-2: become owner of the next attempt of a key, or learn why not (transitions/claim.ts).
-- KEYS  1 record, 2 index
-- ARGV  key operation businessId scope version token leaseMs policy maxAttempts retentionSeconds
--       fingerprint fingerprintFields correlationId owner executionId ephemeral
-- Returns claimed (first, own, takeover, retry) | conflict (fingerprint_missing, fields_differ,
--       payload_differs) | succeeded | in_progress | needs_review
-- @include record
-- @include change

local leaseExpiresAt = now + tonumber(command.leaseMs)

local function first()
	local record = {
		key = command.key,
		operation = command.operation,
		businessId = command.businessId,
		scope = command.scope,
		version = command.version,
		revision = 1,
		state = 'processing',
		token = command.token,
		attempt = 1,
		maxAttempts = tonumber(command.maxAttempts),
		policy = command.policy,
		fingerprint = command.fingerprint,
		fingerprintFields = command.fingerprintFields,
		leaseExpiresAt = leaseExpiresAt,
		correlationId = command.correlationId,
		owner = command.owner,
		createdAt = now,
		updatedAt = now,
		expiresAt = command.ephemeral and now + EPHEMERAL_MS or nil,
		retentionSeconds = tonumber(command.retentionSeconds),
		ephemeral = command.ephemeral,
	}
	note(record, 'first', command.executionId)
	return record
end

local function next_attempt(record, what)
	enter(record, 'processing')
	record.token = command.token
	record.attempt = record.attempt + 1
	record.policy = command.policy
	record.leaseExpiresAt = leaseExpiresAt
	if not record.fingerprint then
		record.fingerprint = command.fingerprint
		record.fingerprintFields = command.fingerprintFields
	end
	record.sealedWord = nil
	record.owner = command.owner
	record.correlationId = command.correlationId or record.correlationId
	record.expiresAt = record.ephemeral and now + EPHEMERAL_MS or nil
	change(record, what, command.executionId)
end

local function to_review(record, reason)
	enter(record, 'needs_review', reason)
	change(record, reason, command.executionId)
	return 'needs_review'
end

local function duplicate(record, outcome)
	count(record, 'duplicates')
	return outcome
end

-- The stored policy is the first claimer's promise, the arriving one this caller's: both must allow it.
local function both_take_over(record)
	return record.policy == 'take_over' and command.policy == 'take_over'
end

local function conflict(record)
	if not record.fingerprint then return nil end
	if not command.fingerprint then return 'fingerprint_missing' end
	if command.fingerprintFields ~= record.fingerprintFields then return 'fields_differ' end
	if command.fingerprint ~= record.fingerprint then return 'payload_differs' end
	return nil
end

local function claim_processing(record)
	local over = now >= (record.leaseExpiresAt or 0)
	local own = record.token == command.token
	-- Another attempt is known to have succeeded: nobody goes on under this claim but to say so too.
	if record.lateSuccesses and (own or over) then return to_review(record, 'late_success') end
	if own then
		record.leaseExpiresAt = leaseExpiresAt
		renewed(record)
		return 'claimed', 'own'
	end
	if not over then return duplicate(record, 'in_progress') end
	if both_take_over(record) and record.attempt < record.maxAttempts then
		record.unknownEarlier = '1'
		count(record, 'takeovers')
		next_attempt(record, 'takeover')
		return 'claimed', 'takeover'
	end
	return to_review(record, 'lease_expired')
end

local function claim_retryable(record)
	if now < (record.retryAt or 0) then return duplicate(record, 'in_progress') end
	if record.unknownEarlier and not both_take_over(record) then return to_review(record, 'unknown_earlier') end
	-- A spent token: the run that already ended this attempt isn't given the next one.
	if record.token == command.token then return duplicate(record, 'in_progress') end
	next_attempt(record, 'retry')
	return 'claimed', 'retry'
end

local function decide(record)
	local differs = conflict(record)
	if differs then
		count(record, 'conflicts')
		return 'conflict', differs
	end
	if record.state == 'processing' then return claim_processing(record) end
	if record.state == 'retryable_failed' then return claim_retryable(record) end
	if record.state == 'succeeded' then return duplicate(record, 'succeeded') end
	return duplicate(record, 'needs_review')
end

local record = load()
local outcome, detail
if record then
	outcome, detail = decide(record)
else
	record, outcome, detail = first(), 'claimed', 'first'
end
save(record)
return reply(outcome, detail, record)
