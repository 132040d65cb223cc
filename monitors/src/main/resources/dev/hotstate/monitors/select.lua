#!lua flags=no-writes
-- The monitors that are in a state now, a part at a time.
-- KEYS  states
-- ARGV  now, state (maintenance pending stale down degraded up), offset, at most so many
-- REPLY SELECTED ids
-- COST  O(log n + offset + m) for m ids; at most 5,000 of them
--@include clock
--@include rank
local RANKS = {maintenance = 1, pending = 2, down = 3, degraded = 4, up = 5}
local states = KEYS[1]
local now_ms, state, offset, most = math.floor(now_us(ARGV[1]) / 1000), ARGV[2], ARGV[3] + 0, ARGV[4] + 0

local function from(low, high, skip, count)
  return redis.call('ZRANGE', states, string.format('%d', low), '(' .. string.format('%d', high), 'BYSCORE', 'LIMIT',
    skip, count)
end
if state ~= 'stale' then
  local rank = RANKS[state]
  local fresh = rank > 2 and now_ms or 0
  return {'SELECTED', from(rank * RANK + fresh, (rank + 1) * RANK, offset, most)}
end
local ids, skip = {}, offset
for rank = 3, 5 do
  local low, high = rank * RANK, rank * RANK + now_ms
  local here = redis.call('ZCOUNT', states, string.format('%d', low), '(' .. string.format('%d', high))
  if skip >= here then
    skip = skip - here
  elseif #ids < most then
    for _, id in ipairs(from(low, high, skip, most - #ids)) do
      ids[#ids + 1] = id
    end
    skip = 0
  end
end
return {'SELECTED', ids}
