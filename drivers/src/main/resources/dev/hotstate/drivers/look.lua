#!lua flags=no-writes
-- Drivers as they are here.
-- KEYS  incarnation, fix, profile, reserved
-- ARGV  pass, now, ids…
-- REPLY LOOKED drivers as line of fix, profile, reservation, each empty where there is none…
-- REPLY REBUILDING
-- COST  O(n) for n ids; n is at most 200
--@include clock
--@include guard
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local ids = {unpack(ARGV, 3)}
local lines = redis.call('HMGET', KEYS[2], unpack(ids))
local profiles = redis.call('HMGET', KEYS[3], unpack(ids))
local reserved = redis.call('HMGET', KEYS[4], unpack(ids))
local looked = {}
for i = 1, #ids do
  looked[3 * i - 2], looked[3 * i - 1], looked[3 * i] = lines[i] or '', profiles[i] or '', reserved[i] or ''
end
return {'LOOKED', looked}
