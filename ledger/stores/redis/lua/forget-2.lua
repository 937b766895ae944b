-- forget-2: remove one record that is over, and its rows in the index.
-- KEYS  1 record, 2 index
-- ARGV  row (the expiry row found in the index)
-- Returns 1 when the row, and with it the record, went; 0 when the record isn't over
-- @include record

-- The row: X, 16 digits expiry, 16 digits creation, 16 digits last change, key.
local age = string.sub(command.row, 18, 33) .. string.sub(command.row, 50)
-- load removes a record that is over. One that is alive and has this very row isn't over (the caller's
-- clock is ahead); with another row it's a later life, or was taken out of its end: the row is left over.
local record = load()
if record and expiry_row(record) == command.row then return 0 end
local rows = { command.row }
for _, letter in pairs(LETTERS) do
	if not (record and state_row(record) == letter .. age) then rows[#rows + 1] = letter .. age end
end
-- Of what Redis itself removes, only what failed for good is in a feed.
local feed = 'f' .. string.sub(command.row, 34)
if not (record and feed_row(record) == feed) then rows[#rows + 1] = feed end
redis.call('ZREM', KEYS[2], unpack(rows))
return 1
