#!lua
-- Takes away everything about a monitor that was deleted, unless one of that id was made anew meanwhile.
-- KEYS  incarnation, schedule, fences, versions, states, latencies, unsettled, status, incident, retry, ended, beats
-- ARGV  pass, now, id, version of the deletion
-- REPLY REMOVED
-- REPLY KEPT
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
local incarnation, schedule, fences, versions = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local states, latencies, unsettled = KEYS[5], KEYS[6], KEYS[7]
local pass, now, id, version = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
if (redis.call('HGET', versions, id) or -1) + 0 > version then
  return {'KEPT'}
end
redis.call('ZREM', schedule, id)
redis.call('HDEL', fences, id)
redis.call('HDEL', versions, id)
redis.call('ZREM', states, id)
redis.call('ZREM', latencies, id)
redis.call('ZREM', unsettled, id)
redis.call('DEL', KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12])
return {'REMOVED'}
