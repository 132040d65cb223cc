#!lua
-- Brings monitors back from PostgreSQL while their partition is rebuilt: their places on the schedule, their open incidents
-- and their last known outcomes. An incident that comes back is not told again; its id is there from the start. Repeating it
-- changes nothing but the time of the next run.
-- KEYS  incarnation, schedule, versions, states, latencies, status and incident of each…
-- ARGV  pass, now, of each: id, version, due (empty: paused), maintenance, failure_threshold, stale_after_ms, status_ttl_ms,
--       latency_ms (empty: never checked), number of status fields and values, of those of the incident, and all these…
-- REPLY REVIVED
-- REPLY REBUILDING
-- COST  O(m log n) for m monitors; at most 50 of them
--@include clock
--@include guard
--@include due
--@include rank
local incarnation, schedule, versions, states, latencies = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local at = 3
for key = 6, #KEYS, 2 do
  local status, incident = KEYS[key], KEYS[key + 1]
  local id, version, due, covered = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3] == '1'
  local threshold, stale_after, status_ttl = ARGV[at + 4] + 0, ARGV[at + 5] + 0, ARGV[at + 6]
  local latency, status_fields, incident_fields = ARGV[at + 7], ARGV[at + 8] + 0, ARGV[at + 9] + 0
  local fields = at + 10
  at = fields + status_fields + incident_fields

  redis.call('HSET', versions, id, version)
  if status_fields > 0 then
    redis.call('HSET', status, unpack(ARGV, fields, fields + status_fields - 1))
    redis.call('PEXPIRE', status, status_ttl)
    if due ~= '' then
      redis.call('ZADD', latencies, latency, id)
    end
  end
  if incident_fields > 0 then
    redis.call('HSET', incident, unpack(ARGV, fields + status_fields, at - 1))
  end
  if due ~= '' then
    local last = redis.call('HMGET', status, 'checked_at', 'ok')
    local failures = (redis.call('HGET', incident, 'failure_count') or 0) + 0
    redis.call('ZADD', schedule, due_ms(due, now), id)
    redis.call('ZADD', states, standing(covered, last[1], failures, threshold, last[2] == '0', stale_after), id)
  end
end
return {'REVIVED'}
