#!lua flags=no-writes
-- How much is ready in a partition's lanes, and since when.
-- KEYS  incarnation, lanes
-- ARGV  now
-- REPLY DEPTHS lanes as queue:run, ready, for how long its first task (ms)…
-- COST  O(n) for n lanes, at most 1,000
--@include clock
--@include base
local incarnation, lanes = KEYS[1], KEYS[2]
local now = now_us(ARGV[1])
local base = base_of(incarnation)

local depths = {}
for _, lane in ipairs(redis.call('ZRANGE', lanes, 0, -1)) do
  local ready = base .. 'jobs:ready:' .. lane
  local first = redis.call('ZRANGE', ready, 0, 0, 'WITHSCORES')[2]
  local since = first and tonumber(first) % 562949953421312 + 1767225600000000
  depths[#depths + 1] = lane
  depths[#depths + 1] = redis.call('ZCARD', ready)
  depths[#depths + 1] = since and math.max(0, math.floor((now - since) / 1000)) or 0
end
return {'DEPTHS', depths}
