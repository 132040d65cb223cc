#!lua flags=no-writes
-- How many drivers of this region are what.
-- KEYS  incarnation, counts
-- ARGV  pass, now
-- REPLY TALLIED fields of counts, each with its value…
-- REPLY REBUILDING
-- COST  O(1)
--@include clock
--@include guard
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
return {'TALLIED', redis.call('HGETALL', KEYS[2])}
