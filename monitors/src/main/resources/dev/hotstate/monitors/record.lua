#!lua
-- Records the outcomes of checks, each under the fence of its claim, and ends the claims: status, retry, failures, the end
-- of an outage, the next run. Each for itself: all of it or, for a stale fence, nothing; one that breaks breaks no other.
-- A failure is looked at again soon, up to so many times, while the monitor is not down; only then it counts. With the
-- threshold an incident is wanted: its id comes from PostgreSQL later (settled.lua), and until then each record says so
-- again. After enough successes the outage is over: it goes to the list of ended ones, where it stays until PostgreSQL
-- has closed it, so that a failure after that begins another. While maintenance covers a monitor no failure counts.
-- KEYS  incarnation, schedule, fences, unsettled, states, latencies, pace, status and incident and retry and ended and beats of each…
-- ARGV  pass, now, 9 for each: id, fence, flags (ok retryable maintenance, each 1 or 0, then the bucket of its lag if it
--       has one), rare (what seldom matters: retries retry_interval_ms failure_threshold success_threshold retry_ttl_ms
--       status_ttl_ms interval_ms error), due, stale_after_ms, latency_ms, kind (ok status_code certificate_days, p with
--       phases and m under maintenance, number of the quarter of its lifetime; - where there is none), phases_ms
-- REPLY RECORDED now_ms, six for each: verdict (1 recorded, 0 stale fence, else why it broke) next_run_ms failures standing
--       standing_before unsettled (1: PostgreSQL must be told, 2: and the oldest ended outage was dropped to make room)
-- REPLY REBUILDING
-- COST  O(m log n) for m outcomes, at most 50 of them: a dozen commands for all, and three for one that is well as before
--@include clock
--@include guard
--@include fences
--@include due
--@include rank
local SHARED_KEYS, OWN_KEYS, SHARED_ARGS, OWN_ARGS = 7, 5, 2, 9
local BEAT, SHOWN, MOST_ENDED = 9, 30, 200
local incarnation, schedule, fences, unsettled = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local states, latencies, pace = KEYS[5], KEYS[6], KEYS[7]
local pass, now = ARGV[1], now_us(ARGV[2])
local now_ms = math.floor(now / 1000)

-- Redis prints a number of Lua's with seventeen digits, which takes longer than this.
local function whole(number)
  return string.format('%d', number)
end
local at = whole(now_ms)

local function rarely(rare)
  return string.match(rare, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
end

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local ids, troubles = {}, {}
for i = 1, (#ARGV - SHARED_ARGS) / OWN_ARGS do
  local own = SHARED_KEYS + OWN_KEYS * (i - 1)
  ids[i] = ARGV[SHARED_ARGS + OWN_ARGS * (i - 1) + 1]
  troubles[#troubles + 1] = KEYS[own + 2]
  troubles[#troubles + 1] = KEYS[own + 3]
  troubles[#troubles + 1] = KEYS[own + 4]
end
local notes = redis.call('HMGET', fences, unpack(ids))
-- Most often none of them has an incident, a retry or an ended outage, and one look tells.
local all_well = redis.call('EXISTS', unpack(troubles)) == 0

-- Counts a failure or a success. Answers the failures in a row, the threshold, in how many ms it is looked at again
-- (false: in its turn), whether PostgreSQL must be told (2: and was not, of an outage that is dropped), and the failures
-- and second looks before.
local function weigh(ok, retryable, covered, rare, incident, retry, ended)
  if ok and (all_well or redis.call('EXISTS', incident, retry, ended) == 0) then
    return 0, 1, false, 0, 0, 0
  end
  local retries, retry_interval, threshold, successes, retry_ttl, _, _, error = rarely(rare)
  threshold = threshold + 0
  local held = redis.call('HMGET', incident, 'failure_count', 'incident_id', 'wanted', 'first_failure_at', 'error')
  local failures, incident_id, wanted = (held[1] or 0) + 0, held[2], held[3] == '1'
  local tried = (redis.call('GET', retry) or 0) + 0
  local waiting, dropped = redis.call('LLEN', ended) > 0, false
  local failed_before = failures

  local again = not ok and not covered and retryable and failures < threshold and tried < retries + 0
  if again then
    redis.call('SET', retry, tried + 1, 'PX', retry_ttl)
  elseif tried > 0 then
    redis.call('DEL', retry)
  end
  if not ok and not covered and not again then
    failures = failures + 1
    redis.call('HSETNX', incident, 'first_failure_at', at)
    redis.call('HSET', incident, 'failure_count', failures, 'last_failure_at', at, 'error', error, 'ok_count', 0)
    if failures >= threshold and not wanted then
      wanted = true
      redis.call('HSET', incident, 'wanted', 1, 'alerted', 0)
    end
  elseif ok and wanted then
    if redis.call('HINCRBY', incident, 'ok_count', 1) >= successes + 0 then
      local outage = held[4] .. ' ' .. at .. ' ' .. failures .. ' ' .. (incident_id or '-') .. ' ' .. (held[5] or '')
      dropped = redis.call('RPUSH', ended, outage) > MOST_ENDED
      redis.call('LTRIM', ended, -MOST_ENDED, -1)
      redis.call('DEL', incident)
      failures, wanted, waiting = 0, false, true
    end
  elseif ok and failures > 0 then
    redis.call('DEL', incident)
    failures = 0
  end
  local untold = dropped and 2 or (waiting or wanted and not incident_id) and 1 or 0
  return failures, threshold, again and retry_interval + 0, untold, failed_before, tried
end

-- Writes the last outcome. What kind tells is written only when it is another kind, or a failure: then all of it is written
-- anew, with its lifetime, of which three quarters are left at any time. Redis looks for a field from the first on: the
-- first are those that each outcome reads or writes.
local function show(ok, status, beats, last_kind, latency, kind, phases, rare)
  if kind == last_kind and ok then
    if phases == '' then
      redis.call('HSET', status, 'checked_at', at, 'latency_ms', latency, 'last_ok_at', at)
    else
      redis.call('HSET', status, 'checked_at', at, 'latency_ms', latency, 'last_ok_at', at, 'phases_ms', phases)
    end
    return
  end
  local _, _, _, _, _, ttl, _, error = rarely(rare)
  local fields, n = {'kind', kind, 'checked_at', at, 'latency_ms', latency}, 6
  local function add(field, value)
    if value and value ~= '' and value ~= '-' then
      fields[n + 1], fields[n + 2], n = field, value, n + 2
    end
  end
  local code, days = string.match(kind, '^%d (%S+) (%S+)')
  add('last_ok_at', ok and at or redis.call('HGET', status, 'last_ok_at'))
  add('phases_ms', phases)
  add('ok', ok and '1' or '0')
  add('status_code', code)
  add('certificate_days', days)
  add('error', error)
  redis.call('DEL', status)
  redis.call('HSET', status, unpack(fields))
  redis.call('PEXPIRE', status, ttl)
  redis.call('PEXPIRE', beats, ttl)
end

-- Its turn; where that has passed while it was checked, the first one to come.
local function turn(due, rare)
  local next_run = due_ms(due, now)
  if next_run <= now_ms then
    local interval = select(7, rarely(rare)) + 0
    return interval > 0 and next_run + (math.floor((now_ms - next_run) / interval) + 1) * interval or next_run
  end
  return next_run
end

-- How long after the last outcome, in four characters. Between whole seconds of the clock, so that what a gap leaves out
-- the next one has, and a bar of many is not off by many; where four hex digits are too few (18 hours) in minutes, and then
-- the first character is a letter after f.
local function gap(checked_at)
  local seconds = checked_at and math.max(0, math.floor(now_ms / 1000) - math.floor(checked_at / 1000)) or 0
  if seconds < 65536 then
    return string.format('%04x', seconds)
  end
  local minutes = math.min(math.floor(seconds / 60 + 0.5), 20 * 4096 - 1)
  return string.char(103 + math.floor(minutes / 4096)) .. string.format('%03x', minutes % 4096)
end

local next_runs, standings, delays, recorded, counts = {}, {}, {}, {}, {passed = 0, failed = 0}
local function record(i, arg, own)
  local id, fence, flags, rare, due = ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], ARGV[arg + 4], ARGV[arg + 5]
  local stale_after, latency, kind = ARGV[arg + 6] + 0, ARGV[arg + 7], ARGV[arg + 8]
  local status, beats = KEYS[own + 1], KEYS[own + 5]
  local ok, retryable, covered = string.byte(flags, 1, 3)
  ok, retryable, covered = ok == 49, retryable == 49, covered == 49

  local last = redis.call('HMGET', status, 'kind', 'checked_at')
  local last_kind, checked_at = last[1], last[2]
  local failures, threshold, again, untold, failed_before, tried_before =
    weigh(ok, retryable, covered, rare, KEYS[own + 2], KEYS[own + 3], KEYS[own + 4])
  if untold > 0 then
    redis.call('ZADD', unsettled, 'NX', whole(now_ms + 5000), id)
  end

  local mark = covered and 'm' or ok and 'u' or failures >= threshold and 'd' or 'g'
  local beat = string.format('%s%04x%s', mark, math.min(latency, 65535), gap(checked_at))
  if redis.call('APPEND', beats, beat) > 2 * SHOWN * BEAT then
    redis.call('SET', beats, redis.call('GETRANGE', beats, -SHOWN * BEAT, -1), 'KEEPTTL')
  end
  show(ok, status, beats, last_kind, latency, kind, ARGV[arg + 9], rare)

  local next_run = again and now_ms + again or turn(due, rare)
  if notes[i] ~= fence then
    local _, wish = held_by(notes[i])
    next_run = math.min(next_run, wish)
  end
  local was_covered = last_kind and string.find(last_kind, 'm', 1, true)
  local before = standing(was_covered, checked_at, failed_before, threshold, tried_before > 0, stale_after)
  local stand = standing(covered, now_ms, failures, threshold, again, stale_after)

  local n = 2 * #recorded
  next_runs[n + 1], next_runs[n + 2] = whole(next_run), id
  standings[n + 1], standings[n + 2] = whole(stand), id
  delays[n + 1], delays[n + 2] = latency, id
  recorded[#recorded + 1] = id
  local result = ok and 'passed' or 'failed'
  counts[result] = counts[result] + 1
  if #flags > 3 then
    local lag = 'lag:' .. string.sub(flags, 4)
    counts[lag] = (counts[lag] or 0) + 1
  end
  return next_run, failures, stand, before, untold
end

local function holds(note, fence)
  return note == fence or note and held_by(note) == fence
end

local reply, taken = {}, {}
for i, id in ipairs(ids) do
  local arg, own = SHARED_ARGS + OWN_ARGS * (i - 1), SHARED_KEYS + OWN_KEYS * (i - 1)
  local verdict, next_run, failures, stand, before, untold = 0, 0, 0, 0, 0, 0
  if holds(notes[i], ARGV[arg + 2]) and not taken[id] then
    taken[id], verdict = true, 1
    local unbroken
    unbroken, next_run, failures, stand, before, untold = pcall(record, i, arg, own)
    if not unbroken then
      verdict = type(next_run) == 'table' and next_run.err or tostring(next_run)
      next_run, failures, stand, before, untold = 0, 0, 0, 0, 0
    end
  end
  local to = 6 * (i - 1)
  reply[to + 1], reply[to + 2], reply[to + 3] = verdict, next_run, failures
  reply[to + 4], reply[to + 5], reply[to + 6] = stand, before, untold
end

if #recorded > 0 then
  redis.call('ZADD', states, unpack(standings))
  redis.call('ZADD', latencies, unpack(delays))
  redis.call('ZADD', schedule, unpack(next_runs))
  redis.call('HDEL', fences, unpack(recorded))
  for field, count in pairs(counts) do
    if count > 0 then
      redis.call('HINCRBY', pace, field, count)
    end
  end
  redis.call('PEXPIRE', pace, 120000)
end
return {'RECORDED', now_ms, reply}
