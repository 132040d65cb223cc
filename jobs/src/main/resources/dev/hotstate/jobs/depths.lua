#!lua flags=no-writes
-- How much is ready in a partition's lanes, and since when: of each group of a priority the first task is the oldest. A page of them.
-- Twenty groups are looked at, the ones of the greatest priorities, and the last, whose tasks wait longest.
-- KEYS  incarnation, lanes
-- ARGV  now, from (so many are left out), max
-- REPLY DEPTHS lanes as queue:run, ready, for how long the task that waits longest (ms)…
-- COST  O(max log m), at most 1,000
--@include clock
--@include base
--@include ready_rank
local incarnation, lanes = KEYS[1], KEYS[2]
local now, from, max = now_us(ARGV[1]), ARGV[2] + 0, ARGV[3] + 0
local base = base_of(incarnation)
local MOST = 20

local depths = {}
for _, lane in ipairs(redis.call('ZRANGE', lanes, from, from + max - 1)) do
  local ready = base .. 'ready:' .. lane
  local since, first, looked = nil, redis.call('ZRANGE', ready, 0, 0, 'WITHSCORES')[2], 0
  while first do
    local began = tonumber(first) % RANKS * TICK + SINCE
    since = since and math.min(since, began) or began
    looked = looked + 1
    local from_score = (math.floor(tonumber(first) / RANKS) + 1) * RANKS
    if looked == MOST then
      local last = redis.call('ZRANGE', ready, -1, -1, 'WITHSCORES')[2]
      from_score = math.max(from_score, math.floor(tonumber(last) / RANKS) * RANKS)
    end
    first = looked <= MOST
      and redis.call('ZRANGE', ready, string.format('%.0f', from_score), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
  end
  depths[#depths + 1] = lane
  depths[#depths + 1] = redis.call('ZCARD', ready)
  depths[#depths + 1] = since and math.max(0, math.floor((now - since) / 1000)) or 0
end
return {'DEPTHS', depths}
