#!lua flags=no-writes
-- A job as it stands, and some of its tasks.
-- KEYS  incarnation, job, pending, results, parked, leases, delayed
-- ARGV  id, tasks…
-- REPLY JOB epoch status tasks open succeeded failed skipped ready running delayed started_at finished_at, for each task
--       status (empty: there is no such task), retry_count, worker, started_at, finished_at, error, log_count, needs that have
--       not ended, result, 1 where it is parked, end of its lease, when it is due…
-- REPLY UNKNOWN
-- COST  O(m log n) for m tasks; at most 500 of them
--@include base
local incarnation, job, pending, results = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local parked, leases, delayed = KEYS[5], KEYS[6], KEYS[7]
local id = ARGV[1]
local base = base_of(incarnation)

local head = redis.call('HMGET', job, 'epoch', 'status', 'tasks', 'open', 'succeeded', 'failed', 'skipped', 'ready',
  'running', 'delayed', 'started_at', 'finished_at')
if not head[2] or head[2] == 'LOADING' then
  return {'UNKNOWN'}
end
for i = 1, 12 do
  head[i] = head[i] or ''
end
local tasks = {}
if #ARGV > 1 then
  local ids, members = {}, {}
  for i = 2, #ARGV do
    ids[i - 1] = ARGV[i]
    members[i - 1] = id .. ':' .. ARGV[i]
  end
  local counts, given = redis.call('HMGET', pending, unpack(ids)), redis.call('HMGET', results, unpack(ids))
  local put_aside = redis.call('SMISMEMBER', parked, unpack(ids))
  local ends, dues = redis.call('ZMSCORE', leases, unpack(members)), redis.call('ZMSCORE', delayed, unpack(members))
  for i, member in ipairs(members) do
    local h = redis.call('HMGET', base .. 'task:' .. member, 'status', 'retry_count', 'worker', 'started_at', 'finished_at',
      'error', 'log_count')
    for k = 1, 7 do
      tasks[#tasks + 1] = h[k] or ''
    end
    tasks[#tasks + 1] = (counts[i] or 0) % 131072
    tasks[#tasks + 1] = given[i] or ''
    tasks[#tasks + 1] = put_aside[i]
    tasks[#tasks + 1] = ends[i] or ''
    tasks[#tasks + 1] = dues[i] or ''
  end
end
return {'JOB', head, tasks}
