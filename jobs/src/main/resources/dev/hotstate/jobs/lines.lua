#!lua flags=no-writes
-- Lines of a task's log, by number.
-- KEYS  job, task, logs
-- ARGV  from, limit
-- REPLY LINES the number of the first here, the status of the task and of its job, lines so far, lines…
-- REPLY UNKNOWN
-- COST  O(kept lines), at most 1,000
local job, task, logs = KEYS[1], KEYS[2], KEYS[3]
local from, limit = tonumber(ARGV[1]), tonumber(ARGV[2])

local h = redis.call('HMGET', task, 'status', 'log_count')
if not h[1] then
  return {'UNKNOWN'}
end
local count = tonumber(h[2] or 0)
local kept = redis.call('LLEN', logs)
from = math.min(math.max(from, count - kept), count)
local first = from - (count - kept)
local lines = limit > 0 and redis.call('LRANGE', logs, first, first + limit - 1) or {}
return {'LINES', from, h[1], redis.call('HGET', job, 'status') or '', count, lines}
