#!lua
-- Brings a definition's change to Redis, once: a version that was placed, or an older one, changes nothing. Whoever checks
-- the monitor by its former definition is refused when he records. What failed before stays failed: a new threshold or a
-- pause does not end an outage. But what is there of a deleted monitor whose id it has is taken away.
-- KEYS  incarnation, schedule, fences, versions, states, latencies, status, incident, retry, unsettled, ended, beats
-- ARGV  pass, now, id, version, due (empty: paused), maintenance, failure_threshold, stale_after_ms, version that made it
-- REPLY PLACED
-- REPLY SAME
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
--@include due
--@include rank
local incarnation, schedule, fences, versions = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local states, latencies, status, incident, retry = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local pass, now, id, version, due = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0, ARGV[5]
local covered, threshold, stale_after, since = ARGV[6] == '1', ARGV[7] + 0, ARGV[8] + 0, ARGV[9] + 0

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local placed = (redis.call('HGET', versions, id) or -1) + 0
if placed >= version then
  return {'SAME'}
end
if placed > 0 and placed < since then
  redis.call('DEL', status, incident, KEYS[11], KEYS[12])
  redis.call('ZREM', latencies, id)
  redis.call('ZREM', KEYS[10], id)
end

local last = redis.call('HMGET', status, 'checked_at', 'ok')
local failures = (redis.call('HGET', incident, 'failure_count') or 0) + 0
redis.call('HSET', versions, id, version)
redis.call('HDEL', fences, id)
redis.call('DEL', retry)
if due == '' then
  redis.call('ZREM', schedule, id)
  redis.call('ZREM', states, id)
  redis.call('ZREM', latencies, id)
else
  redis.call('ZADD', schedule, due_ms(due, now), id)
  redis.call('ZADD', states, standing(covered, last[1], failures, threshold, last[2] == '0', stale_after), id)
end
return {'PLACED'}
