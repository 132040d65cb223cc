#!lua
-- Takes monitors whose incident PostgreSQL must be told of, for the length of a lease. No fence is needed: telling twice
-- changes nothing there, and only settled.lua takes one off.
-- KEYS  incarnation, unsettled
-- ARGV  pass, now, at most so many, lease_ms
-- REPLY UNSETTLED ids
-- REPLY REBUILDING
-- COST  O(m log n) for m ids; at most 100 of them
--@include clock
--@include guard
local incarnation, unsettled = KEYS[1], KEYS[2]
local pass, now, most, lease = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local ids = redis.call('ZRANGE', unsettled, '-inf', string.format('%d', now_ms), 'BYSCORE', 'LIMIT', 0, most)
for _, id in ipairs(ids) do
  redis.call('ZADD', unsettled, now_ms + lease, id)
end
return {'UNSETTLED', ids}
