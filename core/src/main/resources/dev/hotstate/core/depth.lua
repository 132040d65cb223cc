#!lua flags=no-writes
-- Counts a schedule: how much it holds, how much of it is due or held, how late the first is.
-- KEYS  schedule, fences
-- ARGV  now
-- REPLY DEPTH entries due held late_ms
-- COST  O(log n)
--@include clock
local schedule, fences = KEYS[1], KEYS[2]
local now_ms = math.floor(now_us(ARGV[1]) / 1000)

local first = redis.call('ZRANGE', schedule, 0, 0, 'WITHSCORES')
local late = first[2] and math.max(0, now_ms - tonumber(first[2])) or 0
return {
  'DEPTH', redis.call('ZCARD', schedule), redis.call('ZCOUNT', schedule, '-inf', now_ms), redis.call('HLEN', fences),
  late,
}
