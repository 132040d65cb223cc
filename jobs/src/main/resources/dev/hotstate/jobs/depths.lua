#!lua flags=no-writes
-- How much is ready in a partition's lanes, and since when: of each priority the first task is the oldest. A page of them.
-- KEYS  incarnation, lanes
-- ARGV  now, from (so many are left out), max
-- REPLY DEPTHS lanes as queue:run, ready, for how long the task that waits longest (ms)…
-- COST  O(max log m), and for each priority that waits there; at most 1,000
--@include clock
--@include base
local incarnation, lanes = KEYS[1], KEYS[2]
local now, from, max = now_us(ARGV[1]), ARGV[2] + 0, ARGV[3] + 0
local base = base_of(incarnation)
local PRIORITY = 562949953421312

local depths = {}
for _, lane in ipairs(redis.call('ZRANGE', lanes, from, from + max - 1)) do
  local ready = base .. 'jobs:ready:' .. lane
  local since, first = nil, redis.call('ZRANGE', ready, 0, 0, 'WITHSCORES')[2]
  while first do
    local began = tonumber(first) % PRIORITY + 1767225600000000
    since = since and math.min(since, began) or began
    local beyond = string.format('%.0f', (math.floor(tonumber(first) / PRIORITY) + 1) * PRIORITY)
    first = redis.call('ZRANGE', ready, beyond, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
  end
  depths[#depths + 1] = lane
  depths[#depths + 1] = redis.call('ZCARD', ready)
  depths[#depths + 1] = since and math.max(0, math.floor((now - since) / 1000)) or 0
end
return {'DEPTHS', depths}
