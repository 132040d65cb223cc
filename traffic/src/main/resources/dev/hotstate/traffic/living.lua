#!lua flags=no-writes
-- Tells which instances hold a lease, by Redis's clock: it gave it, and the reader's own may be off.
-- KEYS  instances
-- ARGV  now
-- REPLY LIVING names
-- COST  O(n) for n instances, at most 1,000
--@include clock
local now_ms = string.format('%.0f', math.floor(now_us(ARGV[1]) / 1000))
return {'LIVING', redis.call('ZRANGE', KEYS[1], '(' .. now_ms, '+inf', 'BYSCORE')}
