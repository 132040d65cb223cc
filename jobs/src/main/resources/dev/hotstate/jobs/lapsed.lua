#!lua flags=no-writes
-- The tasks whose last attempt lapsed, the oldest first.
-- KEYS  incarnation, lapsed
-- ARGV  from (so many are left out), max
-- REPLY LAPSED tasks as job, task, epoch, attempt, fence, since_ms, error…
-- COST  O(max log n)
--@include base
--@include attempt
--@include progress
local incarnation, lapsed = KEYS[1], KEYS[2]
local from, max = ARGV[1] + 0, ARGV[2] + 0
local base = base_of(incarnation)

local tasks = {}
local members = redis.call('ZRANGE', lapsed, from, from + max - 1, 'WITHSCORES')
for i = 1, #members, 2 do
  local id, task = string.match(members[i], '^([^:]+):(.*)$')
  local h = redis.call('HMGET', base .. 'task:' .. members[i], 'attempt', 'error')
  local fence, retries = attempt_of(h[1] or '- 0 0 0 -')
  local progress = redis.call('HGET', base .. 'job:' .. id, 'progress')
  fence = string.match(fence, '^%??(.*)$')
  local epoch = progress and progress_of(progress).epoch or '0'
  for _, part in ipairs({id, task, epoch, retries + 1, string.sub(fence, 1, 1) == '-' and '0-0' or fence, members[i + 1], h[2] or ''}) do
    tasks[#tasks + 1] = part
  end
end
return {'LAPSED', tasks}
