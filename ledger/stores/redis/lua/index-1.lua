-- index-1: the next rows of a shard's index in the order of a listing, several states as one.
-- KEYS  1 index
-- ARGV  letters of the states (e.g. PN), position to go on after (16 digits creation and key, '' = start),
--       how many rows
-- Returns the clock (ms), then rows without their letter, in order. One step: a record that changes its
-- state between two calls is neither missed nor seen twice.

local letters, position, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local time = redis.call('TIME')

-- Byte by byte: Lua's own < follows the server's locale.
local function before(a, b)
	local ages = tonumber(string.sub(a, 1, 16)) - tonumber(string.sub(b, 1, 16))
	if ages ~= 0 then return ages < 0 end
	for i = 17, math.min(#a, #b) do
		local x, y = string.byte(a, i), string.byte(b, i)
		if x ~= y then return x < y end
	end
	return #a < #b
end

local lists, at = {}, {}
for letter in string.gmatch(letters, '.') do
	local from = position == '' and '[' .. letter or '(' .. letter .. position
	lists[#lists + 1] = redis.call('ZRANGEBYLEX', KEYS[1], from, '[' .. letter .. '\255', 'LIMIT', 0, limit)
	at[#lists] = 1
end

local reply = { string.format('%.0f', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)) }
while #reply <= limit do
	local best, row
	for i, list in ipairs(lists) do
		local head = list[at[i]]
		if head then
			head = string.sub(head, 2)
			if not row or before(head, row) then best, row = i, head end
		end
	end
	if not row then break end
	at[best] = at[best] + 1
	reply[#reply + 1] = row
end
return reply
