#!lua flags=allow-oom
-- Lets the keys of an ended job go after a while; tasks that had not ended are called cancelled from now on. Of a job that has
-- not ended, or that runs again, nothing changes. Of one that came to its end by itself all tasks have, so where none has logged
-- they are not looked at.
-- KEYS  incarnation, job, edges, roots, visited, dependents, pending, triggers, results, parked
-- ARGV  pass, now, keep_ms, id, logged (0: none of its tasks has), tasks…
-- REPLY RETIRED
-- REPLY NOT it has not ended, or runs again
-- REPLY GONE there is no such job
-- REPLY REBUILDING
-- COST  O(n) for n tasks; at most 500 of them
--@include clock
--@include guard
--@include base
local incarnation, job = KEYS[1], KEYS[2]
local pass, now, keep, id = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4]
local base = base_of(incarnation)
local ENDED = {SUCCEEDED = true, FAILED = true, SKIPPED = true, CANCELLED = true}

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local status = redis.call('HGET', job, 'status')
if not status then
  return {'GONE'}
end
if not ENDED[status] then
  return {'NOT'}
end

local keys, stopped, prefix = {}, {}, base .. 'task:' .. id .. ':'
if ARGV[5] == '0' and status ~= 'CANCELLED' then
  for i = 6, #ARGV do
    keys[i - 5] = prefix .. ARGV[i]
  end
  if keys[1] then
    redis.call('EXISTS', unpack(keys))
  end
else
  for i = 6, #ARGV do
    local task = prefix .. ARGV[i]
    local h = redis.call('HMGET', task, 'status', 'log_count')
    if h[1] then
      keys[#keys + 1] = task
      if h[2] and redis.call('EXISTS', task .. ':logs') == 1 then
        keys[#keys + 1] = task .. ':logs'
      end
      if not ENDED[h[1]] then
        stopped[#stopped + 1] = task
      end
    end
  end
end
for i = 1, #stopped do
  redis.call('HSET', stopped[i], 'status', 'CANCELLED')
end
for i = 1, #keys do
  redis.call('PEXPIRE', keys[i], keep)
end
for i = 2, #KEYS do
  redis.call('PEXPIRE', KEYS[i], keep)
end
return {'RETIRED'}
