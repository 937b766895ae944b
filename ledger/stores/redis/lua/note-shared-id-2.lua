-- note-shared-id-2: advisory second step after a success: another key of the same operation has its
-- external ID (transitions/sharedExternalId.ts). The success stands; the record says so, once.
-- KEYS  1 record, 2 index
-- ARGV  externalId otherKey executionId at (the clock of the seal's answer)
-- Returns noted | unchanged
-- @include record
-- @include change

local record = load()
if not record then return reply('unchanged') end
-- One step with the seal in the eyes of a reader; never back behind a change made since.
now = math.max(tonumber(command.at), record.updatedAt)
if record.state ~= 'succeeded' or record.externalId ~= command.externalId then return reply('unchanged', nil, record) end
if not add_anomaly(record, 'shared_external_id', command.externalId, command.otherKey) then
	return reply('unchanged', nil, record)
end
change(record, 'shared_external_id', command.executionId)
save(record)
return reply('noted', nil, record)
