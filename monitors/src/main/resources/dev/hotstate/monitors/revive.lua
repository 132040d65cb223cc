#!lua
-- Brings one monitor back from PostgreSQL while its partition is rebuilt: its place on the schedule, its open incident and
-- its last known outcome. An incident that comes back is not told again; its id is there from the start. Repeating it
-- changes nothing but the time of the next run.
-- KEYS  incarnation, schedule, versions, states, latencies, status, incident
-- ARGV  pass, now, id, version, due (empty: paused), maintenance, failure_threshold, stale_after_ms, status_ttl_ms, latency_ms (empty:
--       never checked), number of status fields and values, these…, fields and values of the incident…
-- REPLY REVIVED
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
--@include due
--@include rank
local incarnation, schedule, versions, states = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local latencies, status, incident = KEYS[5], KEYS[6], KEYS[7]
local pass, now, id, version, due = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local covered, threshold, stale_after = ARGV[6] == '1', ARGV[7] + 0, ARGV[8] + 0
local status_ttl, latency, status_fields = ARGV[9], ARGV[10], ARGV[11] + 0

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
redis.call('HSET', versions, id, version)
if status_fields > 0 then
  redis.call('HSET', status, unpack(ARGV, 12, 11 + status_fields))
  redis.call('PEXPIRE', status, status_ttl)
  if due ~= '' then
    redis.call('ZADD', latencies, latency, id)
  end
end
if #ARGV > 11 + status_fields then
  redis.call('HSET', incident, unpack(ARGV, 12 + status_fields))
end
if due ~= '' then
  local checked_at = redis.call('HGET', status, 'checked_at')
  local failures = (redis.call('HGET', incident, 'failure_count') or 0) + 0
  redis.call('ZADD', schedule, due_ms(due, now), id)
  redis.call('ZADD', states, standing(covered, checked_at, failures, threshold, false, stale_after), id)
end
return {'REVIVED'}
