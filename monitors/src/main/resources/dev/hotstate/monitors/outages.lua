#!lua flags=no-writes
-- Reads what PostgreSQL must be told about a monitor: outages that ended, and the one under way if it is wanted.
-- KEYS  incident, ended
-- ARGV  none
-- REPLY OUTAGES wanted (1), first_failure_at, last_failure_at, failure_count, incident_id, error, ended ones as
--       "first_failure_at ended_at failure_count incident_id error"…
-- COST  O(1); at most 200 ended ones
local held = redis.call('HMGET', KEYS[1], 'wanted', 'first_failure_at', 'last_failure_at', 'failure_count', 'incident_id',
  'error')
for i = 1, 6 do
  held[i] = held[i] or ''
end
return {'OUTAGES', held[1], held[2], held[3], held[4], held[5], held[6], redis.call('LRANGE', KEYS[2], 0, -1)}
