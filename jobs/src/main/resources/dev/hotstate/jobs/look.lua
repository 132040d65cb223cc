#!lua flags=no-writes
-- A job as it stands, and some of its tasks.
-- KEYS  incarnation, job, pending, results, parked, leases, delayed
-- ARGV  id, longest (bytes of a result that is answered with it; 0: none is), tasks…
-- REPLY JOB tasks epoch status open succeeded failed skipped ready running delayed started_at finished_at, for each task
--       status (empty: there is no such task), retries, worker, started_at, ended_at, error, log_count, needs that have not
--       ended, result, 1 where it is parked, end of its lease, when it is due, 1 where its result is too long…
-- REPLY UNKNOWN
-- COST  O(m log n) for m tasks; at most 500 of them
--@include base
--@include progress
--@include attempt
local incarnation, job, pending, results = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local parked, leases, delayed = KEYS[5], KEYS[6], KEYS[7]
local id, longest = ARGV[1], ARGV[2] + 0
local base = base_of(incarnation)

local known = redis.call('HMGET', job, 'progress', 'tasks')
local p = known[1] and progress_of(known[1])
if not p or p.status == 'LOADING' then
  return {'UNKNOWN'}
end
local function time(text)
  return text ~= '-' and text or ''
end
local head = {known[2], p.epoch, p.status, p.open, p.SUCCEEDED, p.FAILED, p.SKIPPED, p.READY, p.RUNNING, p.DELAYED,
  time(p.started), time(p.finished)}
local tasks = {}
if #ARGV > 2 then
  local ids, members, given, long = {}, {}, {}, {}
  for i = 3, #ARGV do
    ids[i - 2] = ARGV[i]
    members[i - 2] = id .. ':' .. ARGV[i]
    if longest > 0 and p.results == '1' then
      local length = redis.call('HSTRLEN', results, ARGV[i])
      given[i - 2] = length > 0 and length <= longest and redis.call('HGET', results, ARGV[i])
      long[i - 2] = length > longest and 1
    end
  end
  local counts = redis.call('HMGET', pending, unpack(ids))
  local put_aside = redis.call('SMISMEMBER', parked, unpack(ids))
  local ends, dues = redis.call('ZMSCORE', leases, unpack(members)), redis.call('ZMSCORE', delayed, unpack(members))
  for i, member in ipairs(members) do
    local h = redis.call('HMGET', base .. 'task:' .. member, 'status', 'attempt', 'retry_count', 'finished_at', 'error', 'log_count')
    local first, _, started, _, worker = attempt_of(h[2] or '- 0 0 0 -')
    local ended = string.match(first, '^-(%d+)$') or ''
    for _, part in ipairs({h[1] or '', h[3] or '0', h[2] and worker or '', h[2] and started or '', h[4] or ended, h[5] or '',
      h[6] or '', h[1] == 'WAITING' and (counts[i] or 0) % 131072 or 0, given[i] or '', put_aside[i], ends[i] or '', dues[i] or '',
      long[i] or 0}) do
      tasks[#tasks + 1] = part
    end
  end
end
return {'JOB', head, tasks}
