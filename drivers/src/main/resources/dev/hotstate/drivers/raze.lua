#!lua flags=allow-oom
-- Removes what is left of a region that was deleted, once nobody is in it and nobody's move from it has to be remembered.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now
-- REPLY RAZED
-- REPLY INHABITED how many drivers are in it, how many have left it
-- REPLY REBUILDING
-- COST  O(1): all but counts are empty
--@include clock
--@include guard
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local here, left = redis.call('HLEN', KEYS[5]), redis.call('ZCARD', KEYS[10])
if here + left > 0 then
  return {'INHABITED', here, left}
end
redis.call('DEL', unpack(KEYS, 2, 11))
return {'RAZED'}
