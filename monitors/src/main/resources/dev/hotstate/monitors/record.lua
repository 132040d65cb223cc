#!lua
-- Records the outcome of a check under the fence of its claim, and ends the claim: status, retry, failures, the end of an
-- outage, the next run. All of it or, for a stale fence, nothing.
-- A failure is looked at again soon, up to so many times, while the monitor is not down; only then it counts. With the
-- threshold an incident is wanted: its id comes from PostgreSQL later (settled.lua), and until then each record says so
-- again. After enough successes the outage is over: it goes to the list of ended ones, where it stays until PostgreSQL
-- has closed it, so that a failure after that begins another. While maintenance covers a monitor no failure counts.
-- KEYS  incarnation, schedule, fences, status, incident, retry, ended, beats, unsettled, states, latencies, pace
-- ARGV  pass, now, id, fence, ok, retryable, maintenance, retries, retry_interval_ms, failure_threshold,
--       success_threshold, interval_ms, phase_ms, due (empty: by interval and phase), stale_after_ms, retry_ttl_ms,
--       status_ttl_ms, lag_bucket, latency_ms, error, pairs of further fields of the status…
-- REPLY RECORDED now_ms next_run_ms failures standing standing_before unsettled (1: PostgreSQL must be told)
-- REPLY STALE
-- REPLY REBUILDING
-- COST  O(log n); about 25 commands on keys of one monitor
--@include clock
--@include guard
--@include fences
--@include due
--@include rank
local incarnation, schedule, fences, status, incident, retry = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local ended, beats, unsettled, states, latencies, pace = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local pass, now, id, fence = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4]
local ok, retryable, covered = ARGV[5] == '1', ARGV[6] == '1', ARGV[7] == '1'
local retries, retry_interval = ARGV[8] + 0, ARGV[9] + 0
local failure_threshold, success_threshold = ARGV[10] + 0, ARGV[11] + 0
local interval, phase, due, stale_after = ARGV[12] + 0, ARGV[13] + 0, ARGV[14], ARGV[15] + 0
local retry_ttl, status_ttl, lag_bucket, latency, error = ARGV[16], ARGV[17], ARGV[18], ARGV[19] + 0, ARGV[20]
local now_ms = math.floor(now / 1000)
local at = string.format('%d', now_ms)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local holder, wish = held_by(redis.call('HGET', fences, id) or '-')
if holder ~= fence then
  return {'STALE'}
end

local held = redis.call('HMGET', incident, 'failure_count', 'incident_id', 'wanted', 'first_failure_at', 'error')
local failures, incident_id, wanted = (held[1] or 0) + 0, held[2], held[3] == '1'
local tried = (redis.call('GET', retry) or 0) + 0
local last = redis.call('HMGET', status, 'checked_at', 'last_ok_at', 'started_at')
local before = redis.call('ZSCORE', states, id) or '0'
local seen = redis.call('GET', beats) or ''
local waiting = redis.call('LLEN', ended) > 0

local again = not ok and not covered and retryable and failures < failure_threshold and tried < retries
if again then
  redis.call('SET', retry, tried + 1, 'PX', retry_ttl)
elseif tried > 0 then
  redis.call('DEL', retry)
end

if not ok and not covered and not again then
  failures = failures + 1
  redis.call('HSETNX', incident, 'first_failure_at', at)
  redis.call('HSET', incident, 'failure_count', failures, 'last_failure_at', at, 'error', error, 'ok_count', 0)
  if failures >= failure_threshold and not wanted then
    wanted = true
    redis.call('HSET', incident, 'wanted', 1, 'alerted', 0)
  end
elseif ok and wanted then
  if redis.call('HINCRBY', incident, 'ok_count', 1) >= success_threshold then
    redis.call('RPUSH', ended, held[4] .. ' ' .. at .. ' ' .. failures .. ' ' .. (incident_id or '-') .. ' ' .. (held[5] or ''))
    redis.call('LTRIM', ended, -20, -1)
    redis.call('DEL', incident)
    failures, wanted, waiting = 0, false, true
  end
elseif ok and failures > 0 then
  redis.call('DEL', incident)
  failures = 0
end
local untold = waiting or (wanted and not incident_id)
if untold then
  redis.call('ZADD', unsettled, 'NX', now_ms + 5000, id)
end

local fields = {'checked_at', at, 'ok', ARGV[5], 'latency_ms', ARGV[19]}
local ok_at = ok and at or last[2]
if ok_at then
  fields[#fields + 1] = 'last_ok_at'
  fields[#fields + 1] = ok_at
end
if error ~= '' then
  fields[#fields + 1] = 'error'
  fields[#fields + 1] = error
end
for i = 21, #ARGV do
  fields[#fields + 1] = ARGV[i]
end
redis.call('DEL', status)
redis.call('HSET', status, unpack(fields))
redis.call('PEXPIRE', status, status_ttl)

local stand = standing(covered, now_ms, failures, failure_threshold, again, stale_after)
redis.call('ZADD', states, stand, id)
redis.call('ZADD', latencies, latency, id)

local mark = covered and 'm' or ok and 'u' or failures >= failure_threshold and 'd' or 'g'
local gap = last[1] and math.min(math.floor((now_ms - last[1]) / 1000), 65535) or 0
local beat = string.format('%s%04x%04x', mark, math.min(latency, 65535), math.max(gap, 0))
redis.call('SET', beats, string.sub(seen, -261) .. beat, 'PX', status_ttl)

local next_run
if again then
  next_run = now_ms + retry_interval
elseif due ~= '' then
  next_run = due_ms(due, now)
else
  next_run = now_ms - (now_ms - phase) % interval + interval
end
next_run = math.min(next_run, wish or next_run)
redis.call('ZADD', schedule, next_run, id)
redis.call('HDEL', fences, id)

redis.call('HINCRBY', pace, ok and 'passed' or 'failed', 1)
if lag_bucket ~= '' then
  redis.call('HINCRBY', pace, 'lag:' .. lag_bucket, 1)
end
redis.call('PEXPIRE', pace, 120000)
return {'RECORDED', now_ms, next_run, failures, string.format('%d', stand), before, untold and 1 or 0}
