#!lua
-- Notes what PostgreSQL has now: the incident's id for the outage that began then, and the ended outages that it closed.
-- A monitor of which nothing else is untold leaves the list of unsettled ones.
-- KEYS  incarnation, incident, ended, unsettled
-- ARGV  pass, now, id, first_failure_at (empty: no incident), incident_id, ended outages as they were read…
-- REPLY SETTLED untold (1: something came meanwhile)
-- REPLY REBUILDING
-- COST  O(m) for m ended ones; at most 200 of them
--@include clock
--@include guard
local incarnation, incident, ended, unsettled = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local pass, now, id, began, incident_id = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local held = redis.call('HMGET', incident, 'first_failure_at', 'wanted', 'incident_id')
local told = held[3]
if began ~= '' and held[1] == began then
  redis.call('HSET', incident, 'incident_id', incident_id, 'alerted', 1)
  told = incident_id
end
for i = 6, #ARGV do
  redis.call('LREM', ended, 1, ARGV[i])
end
local untold = redis.call('LLEN', ended) > 0 or (held[2] == '1' and not told)
if untold then
  redis.call('ZADD', unsettled, math.floor(now / 1000) + 1000, id)
else
  redis.call('ZREM', unsettled, id)
end
return {'SETTLED', untold and 1 or 0}
