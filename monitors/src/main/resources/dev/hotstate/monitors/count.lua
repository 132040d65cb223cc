#!lua flags=no-writes
-- Counts monitors by state, without looking at any of them. Those that should have been checked by now are stale.
-- KEYS  states
-- ARGV  now
-- REPLY COUNTED now_ms maintenance pending stale down degraded up
-- COST  O(log n)
--@include clock
--@include rank
local states = KEYS[1]
local now_ms = math.floor(now_us(ARGV[1]) / 1000)

local function between(from, to)
  return redis.call('ZCOUNT', states, string.format('%d', from), '(' .. string.format('%d', to))
end
local stale, fresh = 0, {}
for rank = 3, 5 do
  stale = stale + between(rank * RANK, rank * RANK + now_ms)
  fresh[rank] = between(rank * RANK + now_ms, (rank + 1) * RANK)
end
return {'COUNTED', now_ms, between(RANK, 2 * RANK), between(2 * RANK, 3 * RANK), stale, fresh[3], fresh[4], fresh[5]}
