#!lua
-- Reminds Redis of an incident that is open in PostgreSQL and that it knows nothing of: it was written there while Redis
-- was lost and rebuilt. The next success then ends it by its id.
-- KEYS  incarnation, incident, ended
-- ARGV  pass, now, fields and values of the incident…
-- REPLY RECALLED
-- REPLY KNOWN (something of an outage is there: nothing was changed)
-- REPLY REBUILDING
-- COST  O(1)
--@include clock
--@include guard
local incarnation, incident, ended = KEYS[1], KEYS[2], KEYS[3]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
if redis.call('EXISTS', incident) == 1 or redis.call('LLEN', ended) > 0 then
  return {'KNOWN'}
end
redis.call('HSET', incident, unpack(ARGV, 3))
return {'RECALLED'}
