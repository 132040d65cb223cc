#!lua
-- Takes the number of an incident from an outage that PostgreSQL has closed: a rebuild brought it back while it was being
-- closed. Where nothing has failed since, the outage is over and goes with it. Else what failed since is an outage of its
-- own, which began with the last failure and is to be told.
-- KEYS  incarnation, incident, unsettled
-- ARGV  pass, now, id, incident_id
-- REPLY FORGOTTEN
-- REPLY OTHER (the outage has not this number: nothing was changed)
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
local incarnation, incident, unsettled = KEYS[1], KEYS[2], KEYS[3]
local pass, now, id, incident_id = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4]

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local held = redis.call('HMGET', incident, 'incident_id', 'first_failure_at', 'last_failure_at')
if held[1] ~= incident_id then
  return {'OTHER'}
end
if not held[3] or held[2] == held[3] then
  redis.call('DEL', incident)
else
  redis.call('HDEL', incident, 'incident_id')
  redis.call('HSET', incident, 'first_failure_at', held[3], 'alerted', 0)
  redis.call('ZADD', unsettled, math.floor(now / 1000), id)
end
return {'FORGOTTEN'}
